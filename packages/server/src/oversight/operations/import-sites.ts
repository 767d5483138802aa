import type { Actor } from "../../access/domain/account.js";
import { type AccountStores, createAccount } from "../../access/operations/manage-accounts.js";
import { grouped } from "../../platform/grouped.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import { inTurns } from "../../platform/turns.js";
import type { SiteIdentity } from "../../portfolio/domain/near-site.js";
import { enrolSite } from "../../portfolio/operations/manage-programs.js";
import { addMeter, changeMeter, changeSite, createSite } from "../../portfolio/operations/manage-sites.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import {
  type AccountPlan,
  type Existing,
  type ImportFile,
  type ImportPlan,
  planImport,
  readImport,
} from "../domain/import.js";
import type { ImportFault, Table } from "../domain/import-lines.js";
import { nearMatches } from "../domain/import-near.js";
import { type MeterPlan, meterOutcome, outcomeOf, type SitePlan } from "../domain/import-site.js";

export type ImportStores = PortfolioStores & AccountStores;

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
  const sites = new Map<string, readonly SiteIdentity[]>();
  for (const { account } of existing.accounts) sites.set(account.id, await stores.sites.identitiesOf(account.id));
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
    // The individual operations, inside this transaction.
    const within: Ports<ImportStores> = { ...ports, stores, transact: (work) => work(stores) };
    for (const account of plan.accounts) {
      const refusal = await carryOut(within, actor, account);
      if (refusal !== null) return refusal;
    }
    return plan;
  });

const existingOf = async (stores: ImportStores, file: ImportFile): Promise<Existing> => {
  const named = await stores.accounts.named(file.accountNames);
  const sites = await stores.sites.named(
    named.map(({ id }) => id),
    {
      names: file.lines.map(({ site }) => site),
      customerLocationIds: file.lines.flatMap((line) => line.customerLocationId ?? []),
    },
  );
  const byAccount = grouped(sites, ({ accountId }) => accountId);
  const accounts = named.map((account) => ({ account, sites: byAccount.get(account.id) ?? [] }));
  const siteIds = sites.map(({ id }) => id);
  const programs: Array<Existing["programs"][number]> = [];
  for (const program of await stores.programs.named(file.programNames))
    programs.push({ program, enrolments: await stores.programs.enrolledOf(program.id, siteIds) });
  return { accounts, programs, programNames: await stores.programs.names() };
};

const FAULT_HINT = "Send the file with dry_run true for the whole list";
const NEAR_HINT = `Send confirm_near_matches true to create them all the same. ${FAULT_HINT}`;

const refuseFaults = (faults: readonly ImportFault[], hint = FAULT_HINT): Refusal => {
  const named = faults
    .slice(0, NAMED_FAULTS)
    .map(({ line, column, message }) => `line ${line}${column === null ? "" : `, ${column}`}: ${message}`);
  const more = faults.length > named.length ? [`and ${faults.length - named.length} more`] : [];
  return invalid(`nothing was imported; ${[...named, ...more].join("; ")}. ${hint}`);
};

const carryOut = async (
  ports: Ports<ImportStores>,
  actor: Actor,
  { name, before, sites }: AccountPlan,
): Promise<Refusal | null> => {
  const account = before ?? (await createAccount(ports, actor, { name, disabled: false }, true));
  if (isRefusal(account)) return account;
  for (const site of sites) {
    const siteId = site.before?.id ?? done(await createSite(ports, actor, newSite(account.id, site), true)).id;
    if (site.before !== null) await changeExisting(ports, actor, siteId, site);
    if (site.enrolment === null || outcomeOf(site.enrolment) === "existing") continue;
    done(await enrolSite(ports, actor, { ...site.enrolment.after, siteId }));
  }
  return null;
};

const newSite = (accountId: string, { after, meters }: SitePlan) => ({
  accountId,
  ...after,
  meters: meters.map(meterOf),
});

const meterOf = ({ name, assetType, kwhMeans }: MeterPlan) => ({
  name,
  assetType,
  ...(kwhMeans === null ? {} : { kwhMeans }),
});

/** Near matches were confirmed for the whole file. */
const changeExisting = async (
  ports: Ports<ImportStores>,
  actor: Actor,
  siteId: string,
  plan: SitePlan,
): Promise<void> => {
  if (outcomeOf(plan) === "changed") done(await changeSite(ports, actor, siteId, plan.after, true));
  for (const meter of plan.meters) {
    const { before } = meter;
    if (before === null) done(await addMeter(ports, actor, siteId, meterOf(meter), true));
    else if (meterOutcome(meter) === "changed") done(await changeMeter(ports, actor, before.id, meterOf(meter), true));
  }
};

/**
 * The plan was made in this transaction, from objects that nobody deletes: a refusal now is a bug, and rolls everything
 * back.
 */
const done = <T>(result: Result<T>): T => {
  if (isRefusal(result)) throw new Error(`a planned import was refused: ${result.message}`);
  return result;
};
