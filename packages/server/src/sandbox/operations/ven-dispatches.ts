import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import { LISTED_AFTER_END_MS } from "../../openadr/domain/ven.js";
import type { VenDispatch, VenDispatches } from "../../openadr/operations/ven-channel.js";
import type { ProjectedSite } from "../../openadr-3/domain/projection.js";
import type { Rehearsal, RehearsalSources } from "../../openadr-3/operations/projection-ports.js";
import type { Clock } from "../../platform/clock.js";
import { type Scenario, stateAt } from "../domain/scenario.js";
import { fixedSites } from "./fixed-data.js";
import type { LastingScenario, ScenarioStore } from "./scenario-service.js";

/**
 * The dispatches of the account's newest scenario, and those of replaced ones as cancelled. A VEN's choice of sites
 * applies only in production: in the sandbox it receives all sites of its account's scenario.
 */
export const scenarioDispatches = (
  scenarios: Pick<ScenarioStore, "lastingSince" | "noteVenActs">,
  clock: Clock,
): Required<VenDispatches> => ({
  calling: ({ accountId }) => lastingDispatches(scenarios, accountId, clock.now()),
  note: (acts, at) => scenarios.noteVenActs(acts, at),
});

/** In their states at a moment. */
const lastingDispatches = async (
  scenarios: Pick<ScenarioStore, "lastingSince">,
  accountId: string,
  now: Date,
): Promise<readonly VenDispatch[]> => {
  const lasting = await scenarios.lastingSince(accountId, new Date(now.getTime() - LISTED_AFTER_END_MS));
  return lasting.flatMap((each) => dispatchesOf(each, now));
};

const dispatchesOf = ({ scenario, earlierDispatches }: LastingScenario, now: Date): VenDispatch[] =>
  scenario.dispatches.flatMap((states, position) => {
    const dispatch = current(scenario, states, now);
    return dispatch === null ? [] : [{ dispatch, openadr: null, priority: earlierDispatches + position + 1 }];
  });

/** A replaced scenario ends for good: what was still to come is cancelled. */
const current = ({ replacedAt }: Scenario, states: readonly Dispatch[], now: Date): Dispatch | null => {
  if (replacedAt === null) return stateAt(states, now);
  const last = stateAt(states, replacedAt);
  const isOver = last === null || !last.authorized || (last.end !== null && last.end <= replacedAt);
  if (isOver) return last;
  return { ...last, authorized: false, modificationNumber: last.modificationNumber + 1, changedAt: replacedAt };
};

/** As long as a dispatch with an end may last (G16): events of scenarios are not prolonged. */
const OPEN_HOURS = 744;

/** Scenarios as VENs of OpenADR 3 see them: the fixed sites, and those of dispatches that were announced. */
export const rehearsalSources = (scenarios: Pick<ScenarioStore, "lastingSince">): RehearsalSources => ({
  async rehearsalOf(accountId, now): Promise<Rehearsal> {
    const lasting = await lastingDispatches(scenarios, accountId, now);
    const named: ReadonlyArray<Omit<ProjectedSite, "meters">> = [
      ...fixedSites,
      ...lasting.flatMap(({ dispatch }) => dispatch.sites),
    ];
    return {
      accountId,
      sites: [...new Map(named.map((site) => [site.id, { ...site, meters: [] }])).values()],
      dispatches: lasting.map(({ dispatch, priority }) => ({
        dispatch,
        signalLevel: null,
        priority,
        openHours: OPEN_HOURS,
      })),
    };
  },
});
