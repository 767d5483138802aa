import type { ProjectedSite } from "../../openadr-3/domain/projection.js";
import type { Rehearsal, RehearsalSources } from "../../openadr-3/operations/projection-ports.js";
import { fixedSites } from "./fixed-data.js";
import type { ScenarioStore } from "./scenario-service.js";
import { lastingDispatches } from "./ven-dispatches.js";

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
