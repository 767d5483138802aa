import type { Caller } from "../../access/operations/caller.js";
import type { Dispatch, DispatchSite } from "../../dispatch/domain/dispatch.js";
import { AS_ISSUED } from "../../dispatch/domain/dispatch.js";
import type { NewId } from "../../platform/clock.js";
import type { Ports } from "../../platform/ports.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, notFound, type Result } from "../../platform/refusal.js";
import { type Course, coursesOf, type NamedSite, type Scenario, type ScenarioRequest } from "../domain/scenario.js";
import type { ScenarioPorts, ScenarioStores } from "./scenario-service.js";

export interface Drafting extends Pick<Ports<unknown>, "clock" | "newId"> {
  /** The existing sites that scenarios may name (G39); the commitment is the scenario's. */
  readonly fixedSites: readonly DispatchSite[];
}

/** A scenario with all its states, not started yet. */
export const draftScenario = (
  { clock, newId, fixedSites }: Drafting,
  { accountId }: Caller,
  request: ScenarioRequest,
): Result<Scenario> => {
  const createdAt = clock.now();
  const courses = coursesOf(request, createdAt);
  if (isRefusal(courses)) return courses;
  const siteOf = siteMaker(fixedSites, newId);
  const dispatches: Dispatch[][] = [];
  for (const course of courses) {
    const states = dispatchStates(course, {
      id: newId("dis"),
      createdAt,
      sitesOf: (named) => siteOf(accountId, named),
    });
    if (isRefusal(states)) return states;
    dispatches.push(states);
  }
  const { type, name, speed } = request;
  return { id: newId("scn"), accountId, type, name, speed, createdAt, replacedAt: null, dispatches };
};

/**
 * Starts a drafted scenario in place of the account's previous one: writes everything it will announce, and removes
 * scenarios beyond what an account may keep.
 */
export const playScenario = (
  { transactScenario }: Pick<ScenarioPorts, "transactScenario">,
  caller: Caller,
  scenario: Scenario,
) =>
  transactScenario(async (stores): Promise<Result<Scenario>> => {
    const { accountId, createdAt } = scenario;
    // The lock makes concurrent scenarios replace each other one at a time.
    await stores.accounts.lock(accountId);
    const before = await stores.scenarios.currentOf(accountId);
    if (before !== null) await end(stores, before, createdAt);
    for (const states of scenario.dispatches) await announce(stores, caller, states);
    await stores.scenarios.insert(scenario);
    await stores.scenarios.removeOld(accountId, {
      ...KEPT,
      endedBefore: new Date(createdAt.getTime() - KEPT_ANYWAY_MS),
    });
    return scenario;
  });

/** Limits per account. */
const KEPT = { scenarios: 100, sites: 10_000 };
const KEPT_ANYWAY_MS = 10 * 60_000;

/** Ends a scenario of the caller's account, if it has not ended, and hides it. */
export const deleteScenario = ({ transactScenario, clock }: ScenarioPorts, { accountId }: Caller, id: string) =>
  transactScenario(async (stores): Promise<Result<Scenario>> => {
    await stores.accounts.lock(accountId);
    const scenario = await stores.scenarios.findOf(accountId, id);
    if (scenario === null) return notFound("scenario");
    const at = clock.now();
    if (scenario.replacedAt === null) await end(stores, scenario, at);
    await stores.scenarios.markDeleted(id, at);
    return scenario;
  });

const end = async (stores: ScenarioStores, scenario: Scenario, at: Date): Promise<void> => {
  for (const [first] of scenario.dispatches) if (first !== undefined) await stores.notices.drop(first.id);
  await stores.scenarios.end(scenario, at);
};

/** Notices become due like the states: each at the moment when its state applies. */
const announce = async (stores: ScenarioStores, caller: Caller, states: readonly Dispatch[]): Promise<void> => {
  const [first] = states;
  if (first === undefined) return;
  await stores.dispatches.insert(
    { ...first, sites: everDispatched(states) },
    { actor: caller.actor, isSelfMade: false },
  );
  for (const { id, modificationNumber, changedAt } of states) {
    const event = modificationNumber === 0 ? "dispatch.create" : "dispatch.update";
    await stores.notices.add({ dispatchId: id, event, modificationNumber, dueAt: changedAt });
  }
};

/** The account is notified of a dispatch regardless of its sites at the time. */
const everDispatched = (states: readonly Dispatch[]): DispatchSite[] => [
  ...new Map(states.flatMap(({ sites }) => sites).map((site) => [site.id, site])).values(),
];

interface StateContext {
  readonly id: string;
  readonly createdAt: Date;
  readonly sitesOf: (named: readonly NamedSite[]) => Result<readonly DispatchSite[]>;
}

const dispatchStates = (course: Course, { id, createdAt, sitesOf }: StateContext): Result<Dispatch[]> => {
  const notification = course[0]?.at ?? createdAt;
  const states: Dispatch[] = [];
  for (const [modificationNumber, { at, program, sites: named, ...rest }] of course.entries()) {
    const sites = sitesOf(named);
    if (isRefusal(sites)) return sites;
    // States in the past apply at once (G38).
    const changedAt = at < createdAt ? createdAt : at;
    const identity = { id, notification, modificationNumber, createdAt, changedAt };
    states.push({ ...AS_ISSUED, ...rest, ...identity, program: { id: "prg_sandbox_scenario", ...program }, sites });
  }
  return states;
};

/** Within a scenario, the same name is the same site in all states. */
const siteMaker = (fixedSites: readonly DispatchSite[], newId: NewId) => {
  const madeUp = new Map<string, string>();
  const idOf = (key: string): string => {
    const id = madeUp.get(key) ?? newId("site");
    madeUp.set(key, id);
    return id;
  };
  const siteOf = (named: NamedSite): DispatchSite => {
    const fixed = fixedSites.find((site) => (named.id === "" ? isLocatedAt(site, named) : site.id === named.id));
    if (fixed !== undefined) return { ...fixed, commitmentKw: named.commitmentKw };
    const { customerLocationId } = named;
    const name = named.name || named.id || customerLocationId;
    return {
      // An id other than a fixed site's is a label: it stands for the same created site throughout the scenario (G46).
      id: idOf(named.id === "" ? `${customerLocationId}\n${name}` : named.id),
      accountId: "",
      name,
      customerLocationId,
      dispatchGroup: "",
      commitmentKw: named.commitmentKw,
    };
  };
  return (accountId: string, named: readonly NamedSite[]): Result<readonly DispatchSite[]> => {
    const sites = named.map((each) => ({ ...siteOf(each), accountId }));
    const twice = sites.find(({ id }, place) => sites.findIndex((site) => site.id === id) < place);
    return twice === undefined ? sites : invalid(`sites names ${quote(twice.name)} twice; name each site once`);
  };
};

const isLocatedAt = (site: DispatchSite, { customerLocationId }: NamedSite): boolean =>
  customerLocationId !== "" && site.customerLocationId === customerLocationId;
