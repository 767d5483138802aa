import { measuredEndMs } from "@curtail/measure";
import { type FinalVersion, isSettled } from "../../performance/domain/version.js";
import { measureAnew } from "../../performance/operations/final/finish-performance.js";
import type {
  StandingDispatch,
  StandingFilter,
  StandingSite,
} from "../../performance/operations/final/standing-results.js";
import type { MeasurementPorts } from "../../performance/operations/measurement-ports.js";
import type { SiteResult } from "../../performance/operations/site-summary.js";
import { DAY_MS } from "../../platform/period.js";
import type { RulesAdoption } from "../../portfolio/domain/rules.js";
import { rulesFor } from "../../portfolio/operations/rules.js";
import type { DrawingPorts } from "./draw-up-statement.js";

export interface SupposingPorts extends DrawingPorts {
  readonly measuring: MeasurementPorts;
}

/** Results of sites that may be measured again for one answer: each takes some milliseconds of the database. */
export class MeasuringBudget {
  isSpent = false;

  constructor(private left: number) {}

  take(sites: number): boolean {
    if (sites > this.left) this.isSpent = true;
    else this.left -= sites;
    return !this.isSpent;
  }
}

interface Supposed {
  readonly ports: SupposingPorts;
  readonly adoption: RulesAdoption;
  readonly budget: MeasuringBudget;
}

/** Ports that make statements as if rules were adopted: results are measured again by these, and nothing is stored. */
export const supposing = ({ ports, adoption, budget }: Supposed): DrawingPorts => {
  const { stores, standing } = ports;
  const results = new Map<string, ReadonlyMap<string, SiteResult>>();
  const changing = changingDispatches(ports.measuring.clock.now().getTime());
  const measured = async (id: string, filter: StandingFilter): Promise<ReadonlyMap<string, SiteResult>> => {
    const found = results.get(id) ?? (await measuredAgain({ ports, adoption, budget }, id, filter));
    results.set(id, found);
    return found;
  };
  return {
    stores: {
      ...stores,
      rules: { ...stores.rules, adoptions: async () => [...(await stores.rules.adoptions()), adoption] },
      performance: {
        async results(id, version, siteIds) {
          const again = results.get(id);
          const kept = siteIds.filter((siteId) => again?.has(siteId) !== true);
          const others = kept.length === 0 ? [] : await stores.performance.results(id, version, kept);
          return [...others, ...siteIds.flatMap((siteId) => again?.get(siteId) ?? [])];
        },
      },
    },
    standing: {
      ...standing,
      async dispatches(period, filter, page) {
        const { items, next } = await standing.dispatches(period, filter, page);
        return { items: changing.known(items), next };
      },
      overlapping: async (period, filter) => changing.known(await standing.overlapping(period, filter)),
      versions: async (ids) => changing.of(await standing.versions(ids)),
      async sites(of, filter) {
        const sites = new Map(await standing.sites(of, filter));
        for (const { dispatchId } of of.filter(({ dispatchId }) => changing.has(dispatchId))) {
          const again = await measured(dispatchId, filter);
          sites.set(dispatchId, (sites.get(dispatchId) ?? []).map(replacedBy(again)));
        }
        return sites;
      },
    },
  };
};

const replacedBy = (again: ReadonlyMap<string, SiteResult>) => (site: StandingSite) => ({
  ...site,
  result: again.get(site.siteId) ?? site.result,
});

/** Which of the dispatches that were read have a result that a newer version would replace. */
const changingDispatches = (nowMs: number) => {
  const read = new Map<string, StandingDispatch>();
  const changing = new Set<string>();
  const isInTime = ({ correctionsDays = null, ...times }: StandingDispatch): boolean =>
    correctionsDays === null || nowMs <= (measuredEndMs(times) ?? nowMs) + correctionsDays * DAY_MS;
  return {
    has: (id: string) => changing.has(id),
    known<Dispatch extends StandingDispatch>(dispatches: readonly Dispatch[]) {
      for (const dispatch of dispatches) read.set(dispatch.id, dispatch);
      return dispatches;
    },
    of(versions: ReadonlyMap<string, readonly FinalVersion[]>) {
      for (const [id, ofDispatch] of versions) {
        const dispatch = read.get(id);
        const isFinal = ofDispatch.length > 0 && ofDispatch.at(-1)?.reason !== "withdrawn";
        if (dispatch !== undefined && isFinal && !isSettled(ofDispatch) && isInTime(dispatch)) changing.add(id);
      }
      return versions;
    },
  };
};

const measuredAgain = async (
  { ports: { measuring, stores }, adoption, budget }: Supposed,
  id: string,
  { accountId }: StandingFilter,
): Promise<ReadonlyMap<string, SiteResult>> => {
  const dispatch = await measuring.reader.findDispatch(id, accountId === undefined ? {} : { accountId });
  if (dispatch === null) return new Map();
  const adoptions = [...(await stores.rules.adoptions()), adoption];
  const rules = rulesFor(dispatch.startMs, dispatch.timezone, adoptions);
  if (rules === dispatch.rulesVersion || !budget.take(dispatch.sites.length)) return new Map();
  const siteIds = new Set(dispatch.sites.map((site) => site.id));
  const results = await measureAnew(measuring, { ...dispatch, rulesVersion: rules }, siteIds);
  return new Map(results.map((result) => [result.siteId, result]));
};
