import type { Account, Actor } from "../../access/domain/account.js";
import type { Act } from "../../access/operations/access-stores.js";
import { type AccountStores, createAccounts } from "../../access/operations/manage-accounts.js";
import { changesNothing } from "../../platform/changes-nothing.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal, type Refusal } from "../../platform/refusal.js";
import { mapInTurns } from "../../platform/turns.js";
import type { Site } from "../../portfolio/domain/site.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import {
  addMeters,
  addSites,
  changedMeter,
  changeMeters,
  changeSites,
  madeMeter,
  madeSite,
  writeEnrolments,
} from "../../portfolio/operations/write-sites.js";
import type { AccountPlan } from "../domain/import.js";
import { type MeterPlan, meterOutcome, outcomeOf, type SitePlan } from "../domain/import-site.js";

export type ImportStores = PortfolioStores & AccountStores;

/** A site of the plan, in its account. */
interface Planned {
  readonly plan: SitePlan;
  readonly account: Account;
}

/** Its site as it is stored. */
interface Stored extends Planned {
  readonly site: Site;
}

/**
 * Writes a plan in the transaction that it was made in: one statement a table, however many lines. What may not be written is a
 * fault of the plan.
 */
export const carryOutImport = async (
  ports: Ports<ImportStores>,
  actor: Actor,
  accounts: readonly AccountPlan[],
): Promise<Refusal | null> => {
  const fresh = accounts.filter(({ before }) => before === null);
  const created = await createAccounts(
    ports,
    actor,
    fresh.map(({ name }) => ({ name, disabled: false })),
  );
  if (isRefusal(created)) return created;
  const byName = new Map(created.map((account) => [account.name, account]));
  const planned = accounts.flatMap(({ name, before, sites }) =>
    sites.map((plan) => ({ plan, account: before ?? there(byName, name) })),
  );
  await writeSites(ports, { actor, at: ports.clock.now() }, planned);
  return null;
};

const writeSites = async (ports: Ports<ImportStores>, act: Act, planned: readonly Planned[]): Promise<void> => {
  const added = await mapInTurns(
    planned.filter(({ plan }) => plan.before === null),
    ({ plan, account }) => ({ plan, account, site: newSite(ports, act, { plan, account }) }),
  );
  await addSites(
    ports.stores,
    act,
    added.map(({ site }) => site),
  );
  const present = planned.flatMap(({ plan, account }) =>
    plan.before === null ? [] : [{ plan, account, site: plan.before }],
  );
  await changePresent(ports, act, present);
  await enrol(ports.stores, act, [...added, ...present]);
};

const newSite = ({ newId }: Ports<ImportStores>, { at }: Act, { plan, account }: Planned): Site =>
  madeSite(
    { accountId: account.id, ...plan.after, meters: plan.meters.map(meterOf) },
    { newId, at, isSimulated: account.isSimulated },
  );

const meterOf = ({ name, assetType, kwhMeans }: MeterPlan) => ({
  name,
  assetType,
  ...(kwhMeans === null ? {} : { kwhMeans }),
});

/** Sites and meters are locked, and read again: another request may have changed them since they were planned. */
const changePresent = async (ports: Ports<ImportStores>, act: Act, present: readonly Stored[]): Promise<void> => {
  const concerned = present.filter(
    ({ plan }) => outcomeOf(plan) === "changed" || plan.meters.some(({ before }) => before === null),
  );
  if (concerned.length > 0) {
    const locked = byId(await ports.stores.sites.lockAll(concerned.map(({ site }) => site.id)));
    const now = concerned.map((each) => ({ ...each, site: there(locked, each.site.id) }));
    await changeSites(ports.stores, act, now.flatMap(siteChange));
    await addMeters(
      ports.stores,
      act,
      now.flatMap(({ plan, site }) =>
        plan.meters.flatMap((meter) =>
          meter.before === null ? [{ site, meter: madeMeter(ports.newId("mtr"), meterOf(meter)) }] : [],
        ),
      ),
    );
  }
  await changePresentMeters(ports.stores, act, present);
};

const siteChange = ({ plan, site: before }: Stored) =>
  changesNothing(before, plan.after) ? [] : [{ before, after: { ...before, ...plan.after } }];

const changePresentMeters = async (stores: ImportStores, act: Act, present: readonly Stored[]): Promise<void> => {
  const wanted = present.flatMap(({ plan }) =>
    plan.meters.flatMap((meter) =>
      meter.before !== null && meterOutcome(meter) === "changed"
        ? [{ id: meter.before.id, change: meterOf(meter) }]
        : [],
    ),
  );
  if (wanted.length === 0) return;
  const locked = byId(await stores.sites.lockMeters(wanted.map(({ id }) => id)));
  const changes = wanted.map(({ id, change }) => changedMeter(there(locked, id), change));
  await changeMeters(
    stores,
    act,
    changes.filter(({ before, after }) => !changesNothing(before, after)),
  );
};

/** In the order of the file. */
const enrol = async (stores: ImportStores, act: Act, sites: readonly Stored[]): Promise<void> => {
  const wanted = sites.flatMap(({ plan: { line, enrolment }, site: { id: siteId, accountId } }) =>
    enrolment === null || outcomeOf(enrolment) === "existing"
      ? []
      : [{ line, accountId, after: { ...enrolment.after, siteId } }],
  );
  if (wanted.length === 0) return;
  const programIds = [...new Set(wanted.map(({ after }) => after.programId))];
  await stores.programs.lockAll(programIds);
  const siteIds = wanted.map(({ after }) => after.siteId);
  const present = await stores.programs.enrolledOf(programIds, siteIds);
  const before = new Map(present.map((each) => [`${each.programId} ${each.siteId}`, each]));
  const changes = wanted
    .toSorted((a, b) => a.line - b.line)
    .map((each) => ({ ...each, before: before.get(`${each.after.programId} ${each.after.siteId}`) ?? null }));
  await writeEnrolments(
    stores,
    act,
    changes.filter((each) => each.before === null || !changesNothing(each.before, each.after)),
  );
};

const byId = <T extends { readonly id: string }>(all: readonly T[]): ReadonlyMap<string, T> =>
  new Map(all.map((each) => [each.id, each]));

/** The plan was made in this transaction, from objects that nobody deletes: if one is gone, that is a bug. */
const there = <T>(all: ReadonlyMap<string, T>, key: string): T => {
  const found = all.get(key);
  if (found === undefined) throw new Error(`a planned import lacks ${key}`);
  return found;
};
