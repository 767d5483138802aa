import { firstSite } from "@curtail/simulation";
import type { Actor } from "../../access/domain/account.js";
import { changeAccount, createAccount } from "../../access/operations/manage-accounts.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import { LONGEST_OPEN_HOURS, refuseTimezone } from "../../portfolio/domain/program.js";
import { createProgram, enrolSite } from "../../portfolio/operations/manage-programs.js";
import { changeSite, createSite } from "../../portfolio/operations/manage-sites.js";
import { historyStart, SIMULATED_SITE_ID, type SimulatedSite } from "../domain/simulated-site.js";
import type { DemoStores } from "./switch-demo.js";

export const SIMULATED_COMMITMENT_KW = firstSite("UTC").commitmentKw;

export interface SimulatedSiteStore {
  find(): Promise<SimulatedSite | null>;
  /** Locks the row until the end of the transaction. */
  lock(): Promise<SimulatedSite | null>;
  /** Waits until no other one is being added. */
  awaitTurn(): Promise<void>;
  insert(site: SimulatedSite): Promise<void>;
  save(site: Pick<SimulatedSite, "state" | "filledUntil">): Promise<void>;
  markAccount(id: string): Promise<void>;
  markProgram(id: string): Promise<void>;
}

export type SimulatedSiteStores = DemoStores & { readonly simulatedSite: SimulatedSiteStore };
export type SimulatedSitePorts = Ports<SimulatedSiteStores>;

/** The simulated site, and why there can be none now. */
export interface SeenSimulatedSite {
  readonly site: SimulatedSite | null;
  readonly refusal: Refusal | null;
}

export const findSimulatedSite = async ({ stores }: Pick<SimulatedSitePorts, "stores">): Promise<SeenSimulatedSite> => {
  const site = await stores.simulatedSite.find();
  return { site, refusal: await refusalOf(stores, site) };
};

const refusalOf = async ({ accounts }: SimulatedSiteStores, site: SimulatedSite | null): Promise<Refusal | null> => {
  if (site?.state === "removing") return invalid("The simulated site is being removed: add it again when it is gone.");
  if (site !== null || !(await accounts.hasDemo())) return null;
  return invalid("The demo is on, and all of its sites are simulated: dispatch one of them, or remove the demo first.");
};

/** Adds the simulated site with an account and a program of its own; one that is there is left as it is. */
export const addSimulatedSite = (
  ports: SimulatedSitePorts,
  actor: Actor,
  timezone: string,
): Promise<Result<SeenSimulatedSite>> =>
  ports.transact(async (stores): Promise<Result<SeenSimulatedSite>> => {
    await stores.simulatedSite.awaitTurn();
    const known = await stores.simulatedSite.lock();
    const refusal = (await refusalOf(stores, known)) ?? refuseTimezone(timezone);
    if (refusal !== null) return refusal;
    if (known !== null) return { site: known, refusal: null };
    const startedAt = ports.clock.now();
    const created = await create({ ...ports, stores, transact: (work) => work(stores) }, actor, timezone);
    const site: SimulatedSite = {
      ...created,
      state: "preparing",
      startedAt,
      startedBy: actor,
      filledUntil: historyStart(startedAt),
    };
    await stores.simulatedSite.insert(site);
    await stores.audit.append({ actor, at: startedAt }, "simulated_site.add", subjectOf(site), {
      after: { startedAt },
    });
    return { site, refusal: null };
  });

const subjectOf = ({ accountId }: SimulatedSite) => ({ id: SIMULATED_SITE_ID, accountId });

/** Account, program, site with a meter, and enrolment. Each is marked before anything refers to it. */
const create = async (within: SimulatedSitePorts, actor: Actor, timezone: string) => {
  const { simulatedSite } = within.stores;
  const { account: name, ...spec } = firstSite(timezone);
  const { id: accountId } = done(await createAccount(within, actor, { name, disabled: false }, true));
  await simulatedSite.markAccount(accountId);
  const { id: programId } = done(await createProgram(within, actor, programIn(timezone)));
  await simulatedSite.markProgram(programId);
  const site = {
    accountId,
    name: spec.name,
    customerLocationId: spec.code,
    dispatchGroup: spec.group,
    timezone,
    latitude: null,
    longitude: null,
    meters: spec.meters.map((meter) => ({ name: meter.name, assetType: "load" as const })),
  };
  const { id: siteId } = done(await createSite(within, actor, site, true));
  done(await changeSite(within, actor, siteId, { displayed: true }, true));
  done(await enrolSite(within, actor, { programId, siteId, commitmentKw: spec.commitmentKw, baseline: null }));
  return { accountId, programId, siteId };
};

const programIn = (timezone: string) => ({
  name: "Simulated test",
  timezone,
  market: "",
  programType: "capacity",
  scheduleCutoffSeconds: 0,
  openadr: null,
  baseline: null,
  holidays: {},
  statusLimits: null,
  // One test after another must not use up the days that baselines look back to.
  testsAreEvents: false,
  correctionsDays: null,
  longestOpenHours: LONGEST_OPEN_HOURS,
  isPublic: false,
});

/** Begins to remove it. From now on its account is disabled: nothing is sent to it, and nobody gets in. */
export const removeSimulatedSite = (ports: SimulatedSitePorts, actor: Actor): Promise<Result<SeenSimulatedSite>> =>
  ports.transact(async (stores): Promise<Result<SeenSimulatedSite>> => {
    const site = await stores.simulatedSite.lock();
    if (site === null || site.state === "removing") return { site, refusal: await refusalOf(stores, site) };
    const within = {
      ...ports,
      stores,
      transact: <T>(work: (stores: SimulatedSiteStores) => Promise<T>) => work(stores),
    };
    const sure = { isNearConfirmed: true, isRunningConfirmed: true };
    done(await changeAccount(within, actor, site.accountId, { disabled: true }, sure));
    const removing: SimulatedSite = { ...site, state: "removing" };
    await stores.simulatedSite.save(removing);
    const { startedAt } = site;
    await stores.audit.append({ actor, at: ports.clock.now() }, "simulated_site.remove", subjectOf(site), {
      before: { startedAt },
    });
    return { site: removing, refusal: await refusalOf(stores, removing) };
  });

/** Nothing here can be refused: a refusal is a bug, and rolls everything back. */
const done = <T>(result: Result<T>): T => {
  if (isRefusal(result)) throw new Error(`a step of the simulated site was refused: ${result.message}`);
  return result;
};
