import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { DispatchService } from "../../dispatch/operations/dispatch-service.js";
import { tableOfReport } from "../../performance/operations/dispatch-table.js";
import { type DispatchReport, filtered, reportOf, siteReport } from "../../performance/operations/measure-dispatch.js";
import {
  type DispatchToMeasure,
  NO_HISTORY,
  type ReadingRows,
} from "../../performance/operations/measurement-ports.js";
import type { PerformanceService } from "../../performance/operations/report/performance-service.js";
import type { RequestedVersion } from "../../performance/operations/report/view-performance.js";
import { SiteMeasurement } from "../../performance/operations/site-measurement.js";
import type { SiteResult } from "../../performance/operations/site-summary.js";
import type { Clock } from "../../platform/clock.js";
import { isRefusal, mapResult, notFound, type Result } from "../../platform/refusal.js";
import { NEWEST_RULES } from "../../portfolio/domain/rules.js";
import { madeUp } from "../../portfolio/operations/visible-sites.js";
import { fixedSites, fixedTelemetry } from "./fixed-data.js";
import { meterKeyOf } from "./site-directory.js";

/**
 * Performance of the dispatches that `find` returns, from the fixed readings: numbers to parse. They show no
 * curtailment, and no result is ever final.
 */
export const fixedPerformance = (clock: Clock, find: DispatchService["findDispatch"]): PerformanceService => {
  const telemetry = fixedTelemetry(clock);
  const rows: ReadingRows = {
    reporting: async (meters) => new Set(meters.map(({ meter }) => meter)),
    // All have sent readings for ever.
    firstHours: async (meters) => new Map(meters.map(({ meter }) => [meter, 0])),
    rows: async (...asked) => {
      const hours = await Promise.all(
        asked.flatMap(({ meters, periods }) => periods.map(({ from, to }) => telemetry.rows(meters, from, to))),
      );
      return hours.flat().map((row) => ({ ...row, rowVersion: "fixed", readingSeconds: null }));
    },
    profiles: async (...asked) => asked.map(() => new Map()),
  };
  const report = async (
    caller: Parameters<typeof find>[0],
    id: string,
    version: RequestedVersion,
  ): Promise<Result<DispatchReport<SiteResult>>> => {
    const dispatch = await find(caller, id, "unseen");
    if (isRefusal(dispatch)) return dispatch;
    return version === null ? measured(rows, dispatch, clock.now()) : notFound("version");
  };
  return {
    dispatchPerformance: (caller, id, version) => mapResult(report(caller, id, version), madeUp),
    performanceDifference: (caller, id) => mapResult(find(caller, id, "unseen"), () => notFound("version")),
    async sitePerformance(caller, id, siteId, version) {
      const whole = await report(caller, id, version);
      const site = isRefusal(whole) ? whole : siteReport(filtered(whole, { siteId }));
      return isRefusal(site) ? site : madeUp(site);
    },
    dispatchTable: (caller, id, version) =>
      mapResult(report(caller, id, version), (whole) => madeUp(tableOfReport(whole))),
  };
};

const measured = async (rows: ReadingRows, called: Dispatch, now: Date): Promise<DispatchReport<SiteResult>> => {
  const dispatch = toMeasure(called);
  const sites: SiteResult[] = [];
  for (const site of dispatch.sites) {
    const measurement = await SiteMeasurement.read(rows, { dispatch, site, history: NO_HISTORY }, now.getTime());
    sites.push(measurement.explained(now.getTime()));
  }
  return reportOf(dispatch, sites, { asOfMs: now.getTime(), version: null, versions: [] });
};

const toMeasure = (dispatch: Dispatch): DispatchToMeasure => ({
  id: dispatch.id,
  timezone: dispatch.program.timezone,
  startMs: dispatch.start.getTime(),
  endMs: dispatch.end?.getTime() ?? null,
  notificationMs: dispatch.notification.getTime(),
  cancelledMs: dispatch.authorized ? null : dispatch.changedAt.getTime(),
  isVoid: false,
  modificationNumber: dispatch.modificationNumber,
  rulesVersion: NEWEST_RULES,
  isSelfMade: false,
  baseline: null,
  holidays: [],
  statusLimits: null,
  sites: dispatch.sites.map(({ id, accountId, name, commitmentKw }) => {
    const index = fixedSites.findIndex((site) => site.id === id);
    const meters = (fixedSites[index]?.meters ?? []).map((meter) => ({ ...meter, ...meterKeyOf(index) }));
    return {
      id,
      accountId,
      name,
      commitmentKw,
      baseline: null,
      meters,
      otherMeters: [],
      enrolledMs: null,
      decision: null,
    };
  }),
});
