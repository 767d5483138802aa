import { isRefusal } from "../domain/refusal.js";
import { notDisplayed } from "../domain/site.js";
import { type DispatchReport, reportOf } from "./measure-dispatch.js";
import type { ParticipantService } from "./participant-service.js";
import { isPreparing } from "./preparing.js";
import type { MeterPoints, TelemetryAnswer } from "./read-telemetry.js";
import type { SiteStore } from "./site-ports.js";

/**
 * The service as people see it on pages: without the data of sites whose display nobody has enabled. The participant's
 * own systems are not concerned.
 */
export const withDisplayHeeded = (
  service: ParticipantService,
  sites: Pick<SiteStore, "displayed">,
): ParticipantService => ({
  ...service,
  async readTelemetry(caller, siteIds, window) {
    const answer = await service.readTelemetry(caller, siteIds, window);
    if (isRefusal(answer)) return answer;
    const displayed = await sites.displayed(caller.accountId);
    return { ...answer, pieces: onlyOf(answer, displayed) };
  },
  async dispatchPerformance(caller, id, version) {
    const report = await service.dispatchPerformance(caller, id, version);
    if (isRefusal(report) || isPreparing(report)) return report;
    return displayedOf(report, await sites.displayed(caller.accountId));
  },
  async sitePerformance(caller, id, siteId, version) {
    const report = await service.sitePerformance(caller, id, siteId, version);
    if (isRefusal(report)) return report;
    const displayed = await sites.displayed(caller.accountId);
    return displayed.has(siteId) ? report : notDisplayed();
  },
});

/** A report of the sites that are displayed, with their own sums. */
export const displayedOf = (report: DispatchReport, displayed: ReadonlySet<string>): DispatchReport =>
  reportOf(
    report.dispatch,
    report.sites.filter(({ siteId }) => displayed.has(siteId)),
    report,
  );

/** Without the points of other sites, whose meters stay. */
async function* onlyOf({ sites, pieces }: TelemetryAnswer, siteIds: ReadonlySet<string>): AsyncGenerator<MeterPoints> {
  for await (const piece of pieces) if (siteIds.has(sites[piece.site]?.siteId ?? "")) yield piece;
}
