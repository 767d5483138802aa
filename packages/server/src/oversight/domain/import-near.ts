import { foldedIdentifier, foldedName } from "../../platform/near-match.js";
import { quote } from "../../platform/quote.js";
import type { Site } from "../../portfolio/domain/site.js";
import type { AccountPlan } from "./import.js";
import type { ImportFault } from "./import-lines.js";
import type { SitePlan } from "./import-site.js";

/** What a file could have meant instead of something new. */
export interface NearObjects {
  /** Names of all accounts. */
  readonly accountNames: readonly string[];
  sitesOf(accountId: string): readonly Site[];
}

/** New objects whose names or identifiers only look different from those of others, there or in the file (G70). */
export const nearMatches = (accounts: readonly AccountPlan[], there: NearObjects): readonly ImportFault[] => {
  const names = seenBy(foldedName, there.accountNames);
  return accounts
    .flatMap((account) => {
      const line = account.sites[0]?.line ?? 0;
      const own = account.before === null ? near(names, { line, column: "account", text: account.name }) : [];
      const sites = account.before === null ? [] : there.sitesOf(account.before.id);
      return [...own, ...nearSites(account.sites, sites), ...account.sites.flatMap(nearMeters)];
    })
    .toSorted((a, b) => a.line - b.line);
};

interface Cell {
  readonly line: number;
  readonly column: "account" | "site" | "customer_location_id" | "meter";
  readonly text: string;
}

/** What was seen first under each folded text. */
interface Seen {
  readonly fold: (text: string) => string;
  readonly first: Map<string, string>;
}

const seenBy = (fold: Seen["fold"], texts: readonly string[]): Seen => ({
  fold,
  first: new Map(texts.map((text) => [fold(text), text])),
});

/** Compares a cell with what was seen. */
const compared = ({ fold, first }: Seen, { line, column, text }: Cell): ImportFault[] => {
  const other = first.get(fold(text));
  if (other === undefined || other === text) return [];
  const message = `"${quote(text)}" is new, but almost the same as "${quote(other)}"; use one spelling, or confirm that both are meant`;
  return [{ line, column, message }];
};

/** The cell is seen from now on; what was seen under its folded text stays. */
const see = ({ fold, first }: Seen, text: string): void => {
  if (!first.has(fold(text))) first.set(fold(text), text);
};

const near = (seen: Seen, cell: Cell): ImportFault[] => {
  const found = compared(seen, cell);
  see(seen, cell.text);
  return found;
};

const nearSites = (planned: readonly SitePlan[], sites: readonly Site[]): ImportFault[] => {
  const identifiers = seenBy(
    foldedIdentifier,
    sites.flatMap(({ customerLocationId }) => customerLocationId || []),
  );
  // Different identifiers distinguish sites of the same name, so names count only where one of both has none.
  const unidentified = seenBy(
    foldedName,
    sites.flatMap(({ name, customerLocationId }) => (customerLocationId === "" ? name : [])),
  );
  const all = seenBy(
    foldedName,
    sites.map(({ name }) => name),
  );
  return planned.flatMap(({ before, line, after: { name: text, customerLocationId } }) => {
    if (before !== null) return [];
    const cell = { line, column: "site", text } as const;
    const found = compared(customerLocationId === "" ? all : unidentified, cell);
    see(all, text);
    if (customerLocationId === "") see(unidentified, text);
    else found.push(...near(identifiers, { line, column: "customer_location_id", text: customerLocationId }));
    return found;
  });
};

const nearMeters = ({ before, meters }: SitePlan): ImportFault[] => {
  const seen = seenBy(foldedName, before?.meters.map(({ name }) => name) ?? []);
  return meters.flatMap((meter) =>
    meter.before === null ? near(seen, { line: meter.line, column: "meter", text: meter.name }) : [],
  );
};
