import { currentReductionKw, STATUS_LIMITS } from "@curtail/measure";
import type { DispatchTracker } from "../../performance/operations/live/dispatch-tracker.js";
import type { LivePerformance } from "../../performance/operations/live/live-performance.js";
import { type AlarmCause, causeWords } from "../../platform/alarm.js";
import { isOver } from "../domain/alarm-group.js";
import { type ExplainedShortfall, explainShortfall, type LackingSite } from "../domain/shortfall-causes.js";
import type { CauseSite, GroupedDispatch, SitesOfCause } from "./alarm-group-ports.js";

interface Now {
  readonly live: LivePerformance;
  readonly asOf: Date;
}

/** What a dispatch lacks, and each site of it. */
interface Lacks {
  /** null: unknown. */
  readonly shortfallKw: number | null;
  readonly siteKw: (site: CauseSite) => number;
}

/** How much of what a dispatch lacks now each cause explains, as far as that is known without waiting. */
export const explainedNow = (
  now: Now,
  dispatch: GroupedDispatch,
  sites: readonly SitesOfCause[],
): ExplainedShortfall => {
  const { shortfallKw, siteKw } = lacksOf(now, dispatch);
  const lacking = sites.flatMap(({ cause, sites: own }) =>
    causeWords(cause) === null ? [] : [[cause as AlarmCause, own.map((site) => lackingSite(site, siteKw))] as const],
  );
  return explainShortfall(new Map(lacking), shortfallKw);
};

const lackingSite = ({ siteId, accountId, ...site }: CauseSite, siteKw: Lacks["siteKw"]): LackingSite => ({
  siteId,
  accountId,
  kw: siteKw({ siteId, accountId, ...site }),
});

const lacksOf = ({ live, asOf }: Now, dispatch: GroupedDispatch): Lacks => {
  if (isOver(dispatch, asOf)) return { shortfallKw: 0, siteKw: () => 0 };
  // Before the start nobody delivers yet: everything is at stake.
  if (dispatch.start > asOf) return { shortfallKw: dispatch.commitmentKw, siteKw: wholeKw };
  const tracker = live.trackerNow(dispatch.id);
  return tracker === null ? { shortfallKw: null, siteKw: wholeKw } : measuredLacks(tracker, asOf);
};

const wholeKw = ({ commitmentKw }: CauseSite): number => commitmentKw;

/** What cannot be measured lacks everything. */
const measuredLacks = (tracker: DispatchTracker, asOf: Date): Lacks => {
  const { totals, sites } = tracker.report();
  const { staleSeconds } = tracker.dispatch.statusLimits ?? STATUS_LIMITS;
  const delivered = new Map(
    sites.map((site) => [site.siteId, currentReductionKw(site, { nowMs: asOf.getTime(), staleSeconds })]),
  );
  return {
    shortfallKw: Math.max(0, totals.commitmentKw - (totals.now.reductionKw ?? 0)),
    siteKw: ({ siteId, commitmentKw }) => Math.max(0, commitmentKw - (delivered.get(siteId) ?? 0)),
  };
};
