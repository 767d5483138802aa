import type { Account } from "../../access/domain/account.js";
import { grouped } from "../../platform/grouped.js";
import { foldedName } from "../../platform/near-match.js";
import type { Enrolment, Program } from "../../portfolio/domain/program.js";
import type { Site } from "../../portfolio/domain/site.js";
import { type ImportFault, type ReadLines, readLines, type Table } from "./import-lines.js";
import { type Lines, planSite, type SitePlan, type SitesByText, type Surroundings } from "./import-site.js";

/** What exists of the accounts and programs in a file. */
export interface Existing {
  /** Accounts with the sites that a line may mean. */
  readonly accounts: ReadonlyArray<{ readonly account: Account; readonly sites: readonly Site[] }>;
  readonly programs: ReadonlyArray<{ readonly program: Program; readonly enrolments: readonly Enrolment[] }>;
  /** Names of all programs. */
  readonly programNames: readonly string[];
}

export interface AccountPlan {
  readonly name: string;
  /** null: to be created. */
  readonly before: Account | null;
  readonly sites: readonly SitePlan[];
}

/** What an import does; nothing if there is a fault. */
export interface ImportPlan {
  readonly accounts: readonly AccountPlan[];
  /** In the order of lines. */
  readonly faults: readonly ImportFault[];
}

/** A parsed file, and the names to look up for planning. */
export interface ImportFile extends ReadLines {
  readonly accountNames: readonly string[];
  readonly programNames: readonly string[];
}

export function* readImport(table: Table): Generator<undefined, ImportFile> {
  const read = yield* readLines(table);
  return {
    ...read,
    accountNames: [...new Set(read.lines.map((line) => line.account))],
    programNames: [...new Set(read.lines.flatMap((line) => line.program ?? []))],
  };
}

/** Plans a file against what exists, in steps; after an import, the same file plans no change. */
export function* planImport(file: ImportFile, existing: Existing): Generator<undefined, ImportPlan> {
  const faults = [...file.faults];
  const among = surroundingsOf(existing);
  const accounts: AccountPlan[] = [];
  for (const [name, lines] of grouped(file.lines, (line) => line.account)) {
    const account = yield* planAccount(name, lines, among, faults);
    if (account !== null) accounts.push(account);
    yield;
  }
  return { accounts, faults: faults.toSorted((a, b) => a.line - b.line) };
}

type ExistingAccount = Existing["accounts"][number];

/** What exists, by the texts of lines. */
interface Among extends Omit<Surroundings, "sites" | "isSimulated"> {
  readonly accounts: ReadonlyMap<string, readonly ExistingAccount[]>;
}

const surroundingsOf = ({ accounts, programs, programNames }: Existing): Among => {
  const enrolled = programs.map(({ program, enrolments }) => ({
    program,
    enrolments: new Map(enrolments.map((each) => [each.siteId, each])),
  }));
  // Of several, the first is meant.
  const meant = new Map(programNames.toReversed().map((name) => [foldedName(name), name]));
  return {
    accounts: grouped(accounts, ({ account }) => account.name),
    programs: grouped(enrolled, ({ program }) => program.name),
    meantProgram: (name) => meant.get(foldedName(name)) ?? null,
  };
};

const sitesByText = (sites: readonly Site[]): SitesByText => ({
  byName: grouped(sites, (site) => site.name),
  byIdentifier: grouped(sites, (site) => site.customerLocationId),
});

function* planAccount(
  name: string,
  lines: Lines,
  { accounts, ...named }: Among,
  faults: ImportFault[],
): Generator<undefined, AccountPlan | null> {
  const [found, ...others] = accounts.get(name) ?? [];
  if (others.length > 0) {
    const message = `there are ${others.length + 1} accounts with this name; rename all but one`;
    faults.push({ line: lines[0].line, column: "account", message });
    return null;
  }
  faults.push(...halfIdentified(lines));
  const sites: SitePlan[] = [];
  const isSimulated = found?.account.isSimulated ?? false;
  const among = { ...named, isSimulated, sites: sitesByText(found?.sites ?? []) };
  // The owner's own identifier distinguishes sites with the same name.
  for (const own of grouped(lines, (line) => line.customerLocationId ?? line.site).values()) {
    const plan = yield* planSite(own, among);
    faults.push(...plan.faults);
    if (plan.site !== null) sites.push(plan.site);
    yield;
  }
  faults.push(...meantTwice(sites));
  return { name, before: found?.account ?? null, sites };
}

/** Lines without the identifier that others of the same name have: it is unclear which site they mean. */
const halfIdentified = (lines: Lines): ImportFault[] => {
  const identified = new Map(
    lines.filter((line) => line.customerLocationId !== null).map(({ site, line }) => [site, line]),
  );
  return lines
    .filter(({ site, customerLocationId }) => customerLocationId === null && identified.has(site))
    .map(({ line, site }) => ({
      line,
      column: "customer_location_id",
      message: `is empty, but line ${identified.get(site)} has one for the same name; add it to every line of the site`,
    }));
};

const meantTwice = (sites: readonly SitePlan[]): ImportFault[] => {
  const first = new Map<string, number>();
  return sites.flatMap(({ before, line }) => {
    if (before === null) return [];
    const earlier = first.get(before.id);
    if (earlier === undefined) first.set(before.id, line);
    if (earlier === undefined) return [];
    const message = `is ${before.id}, the same site as on line ${earlier}; use the same name and customer_location_id on both`;
    return [{ line, column: "site", message }];
  });
};
