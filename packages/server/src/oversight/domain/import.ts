import type { Account } from "../../access/domain/account.js";
import type { Enrolment, Program } from "../../portfolio/domain/program.js";
import type { Site } from "../../portfolio/domain/site.js";
import { type ImportFault, type ImportLine, type ReadLines, readLines, type Table } from "./import-lines.js";
import { planSite, type SitePlan } from "./import-site.js";

/** What exists of the accounts and programs in a file. */
export interface Existing {
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

/** Plans a file against what exists; after an import, the same file plans no change. */
export const planImport = (file: ImportFile, existing: Existing): ImportPlan => {
  const faults = [...file.faults];
  const planned = [...groupedBy(file.lines, (line) => line.account)].map(([name, lines]) =>
    planAccount(name, lines, existing, faults),
  );
  return {
    accounts: planned.filter((account) => account !== null),
    faults: faults.toSorted((a, b) => a.line - b.line),
  };
};

type Lines = readonly [ImportLine, ...ImportLine[]];

const planAccount = (name: string, lines: Lines, existing: Existing, faults: ImportFault[]): AccountPlan | null => {
  const [found, ...others] = existing.accounts.filter(({ account }) => account.name === name);
  if (others.length > 0) {
    const message = `there are ${others.length + 1} accounts with this name; rename all but one`;
    faults.push({ line: lines[0].line, column: "account", message });
    return null;
  }
  faults.push(...halfIdentified(lines));
  const sites: SitePlan[] = [];
  // The owner's own identifier distinguishes sites with the same name.
  for (const own of groupedBy(lines, (line) => line.customerLocationId ?? line.site).values()) {
    const plan = planSite(own, {
      sites: found?.sites ?? [],
      programs: existing.programs,
      programNames: existing.programNames,
    });
    faults.push(...plan.faults);
    if (plan.site !== null) sites.push(plan.site);
  }
  faults.push(...meantTwice(sites));
  return { name, before: found?.account ?? null, sites };
};

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

const groupedBy = (lines: readonly ImportLine[], keyOf: (line: ImportLine) => string): Map<string, Lines> => {
  const groups = new Map<string, [ImportLine, ...ImportLine[]]>();
  for (const line of lines) {
    const group = groups.get(keyOf(line));
    if (group === undefined) groups.set(keyOf(line), [line]);
    else group.push(line);
  }
  return groups;
};
