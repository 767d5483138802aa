import type { Actor } from "../../access/domain/account.js";
import { grouped } from "../../platform/grouped.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, type Refusal, type Result } from "../../platform/refusal.js";
import { inTurns } from "../../platform/turns.js";
import type { Site } from "../../portfolio/domain/site.js";
import { type Existing, type ImportFile, type ImportPlan, planImport, readImport } from "../domain/import.js";
import type { ImportFault, Table } from "../domain/import-lines.js";
import { nearMatches } from "../domain/import-near.js";
import { carryOutImport, type ImportStores } from "./carry-out-import.js";

export type { ImportStores } from "./carry-out-import.js";

const NAMED_FAULTS = 5;

/** A plan with what it would create although something almost the same is there. */
export interface CheckedPlan extends ImportPlan {
  readonly nearMatches: readonly ImportFault[];
}

/** What a file would do, with its faults; nothing is written. */
export const previewImport = async ({ stores }: Ports<ImportStores>, table: Table): Promise<CheckedPlan> =>
  checkedPlan(stores, await inTurns(readImport(table)));

const checkedPlan = async (stores: ImportStores, file: ImportFile): Promise<CheckedPlan> => {
  const existing = await existingOf(stores, file);
  const plan = await inTurns(planImport(file, existing));
  const identities = await stores.sites.identitiesOf(idsOf(existing.accounts.map(({ account }) => account)));
  const sites = grouped(identities, ({ accountId }) => accountId);
  const there = { accountNames: await stores.accounts.names(), sitesOf: (id: string) => sites.get(id) ?? [] };
  return { ...plan, nearMatches: await inTurns(nearMatches(plan.accounts, there)) };
};

export interface ImportOrder {
  readonly table: Table;
  /** Whether what is almost the same as something else is meant to be created. */
  readonly isNearConfirmed: boolean;
}

/** Creates what a file names and does not exist, and changes what differs: all of it or nothing. */
export const importSites = (
  ports: Ports<ImportStores>,
  actor: Actor,
  { table, isNearConfirmed }: ImportOrder,
): Promise<Result<CheckedPlan>> =>
  ports.transact(async (stores) => {
    const file = await inTurns(readImport(table));
    if (file.faults.length > 0) return refuseFaults(file.faults);
    // Of two imports of one file, the second finds what the first created.
    await stores.accounts.takeImportTurn();
    const plan = await checkedPlan(stores, file);
    if (plan.faults.length > 0) return refuseFaults(plan.faults);
    if (plan.nearMatches.length > 0 && !isNearConfirmed) return refuseFaults(plan.nearMatches, NEAR_HINT);
    const within: Ports<ImportStores> = { ...ports, stores, transact: (work) => work(stores) };
    return (await carryOutImport(within, actor, plan.accounts)) ?? plan;
  });

const existingOf = async (stores: ImportStores, file: ImportFile): Promise<Existing> => {
  const named = await stores.accounts.named(file.accountNames);
  const sites = await stores.sites.named(idsOf(named), {
    names: file.lines.map(({ site }) => site),
    customerLocationIds: file.lines.flatMap((line) => line.customerLocationId ?? []),
  });
  const byAccount = grouped(sites, ({ accountId }) => accountId);
  const accounts = named.map((account) => ({ account, sites: byAccount.get(account.id) ?? [] }));
  const programs = await programsOf(stores, file.programNames, sites);
  return { accounts, programs, programNames: await stores.programs.names() };
};

const programsOf = async (
  { programs }: ImportStores,
  names: readonly string[],
  sites: readonly Site[],
): Promise<Existing["programs"]> => {
  const named = await programs.named(names);
  const enrolled = await programs.enrolledOf(idsOf(named), idsOf(sites));
  const enrolments = grouped(enrolled, ({ programId }) => programId);
  return named.map((program) => ({ program, enrolments: enrolments.get(program.id) ?? [] }));
};

const idsOf = (all: ReadonlyArray<{ readonly id: string }>): string[] => all.map(({ id }) => id);

const FAULT_HINT = "Send the file with dry_run true for the whole list";
const NEAR_HINT = `Send confirm_near_matches true to create them all the same. ${FAULT_HINT}`;

const refuseFaults = (faults: readonly ImportFault[], hint = FAULT_HINT): Refusal => {
  const named = faults
    .slice(0, NAMED_FAULTS)
    .map(({ line, column, message }) => `line ${line}${column === null ? "" : `, ${column}`}: ${message}`);
  const more = faults.length > named.length ? [`and ${faults.length - named.length} more`] : [];
  return invalid(`nothing was imported; ${[...named, ...more].join("; ")}. ${hint}`);
};
