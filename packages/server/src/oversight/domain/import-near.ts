import { foldedIdentifier, foldedName } from "../../platform/near-match.js";
import { quote } from "../../platform/quote.js";
import type { SiteIdentity } from "../../portfolio/domain/near-site.js";
import type { AccountPlan } from "./import.js";
import type { ImportFault } from "./import-lines.js";
import type { SitePlan } from "./import-site.js";

/** What a file could have meant instead of something new. */
export interface NearObjects {
  /** Names of all accounts. */
  readonly accountNames: readonly string[];
  sitesOf(accountId: string): readonly SiteIdentity[];
}

/** Texts of one step. */
const TEXTS_AT_ONCE = 500;

/** New objects whose names or identifiers only look different from those of others, there or in the file (G70); in steps. */
export function* nearMatches(
  accounts: readonly AccountPlan[],
  there: NearObjects,
): Generator<undefined, readonly ImportFault[]> {
  const names = yield* seenBy(foldedName, there.accountNames);
  const found: ImportFault[] = [];
  for (const account of accounts) {
    const line = account.sites[0]?.line ?? 0;
    if (account.before === null) found.push(...near(names, { line, column: "account", text: account.name }));
    found.push(...(yield* nearSites(account.sites, account.before === null ? [] : there.sitesOf(account.before.id))));
    for (const site of account.sites) {
      found.push(...(yield* nearMeters(site)));
      yield;
    }
  }
  return found.toSorted((a, b) => a.line - b.line);
}

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

function* seenBy(fold: Seen["fold"], texts: readonly string[]): Generator<undefined, Seen> {
  const first = new Map<string, string>();
  for (const [index, text] of texts.entries()) {
    first.set(fold(text), text);
    if (isStepOver(index)) yield;
  }
  return { fold, first };
}

const isStepOver = (index: number): boolean => index % TEXTS_AT_ONCE === TEXTS_AT_ONCE - 1;

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

function* nearSites(
  planned: readonly SitePlan[],
  sites: readonly SiteIdentity[],
): Generator<undefined, readonly ImportFault[]> {
  const identifiers = yield* seenBy(
    foldedIdentifier,
    sites.flatMap(({ customerLocationId }) => customerLocationId || []),
  );
  // Different identifiers distinguish sites of the same name, so names count only where one of both has none.
  const unidentified = yield* seenBy(
    foldedName,
    sites.flatMap(({ name, customerLocationId }) => (customerLocationId === "" ? name : [])),
  );
  const all = yield* seenBy(
    foldedName,
    sites.map(({ name }) => name),
  );
  const found: ImportFault[] = [];
  for (const [index, { before, line, after }] of planned.entries()) {
    if (isStepOver(index)) yield;
    if (before !== null) continue;
    const { name: text, customerLocationId } = after;
    found.push(...compared(customerLocationId === "" ? all : unidentified, { line, column: "site", text }));
    see(all, text);
    if (customerLocationId === "") see(unidentified, text);
    else found.push(...near(identifiers, { line, column: "customer_location_id", text: customerLocationId }));
  }
  return found;
}

function* nearMeters({ before, meters }: SitePlan): Generator<undefined, readonly ImportFault[]> {
  const seen = yield* seenBy(foldedName, before?.meters.map(({ name }) => name) ?? []);
  const found: ImportFault[] = [];
  for (const [index, meter] of meters.entries()) {
    if (isStepOver(index)) yield;
    if (meter.before === null) found.push(...near(seen, { line: meter.line, column: "meter", text: meter.name }));
  }
  return found;
}
