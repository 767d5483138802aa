import type { UploadedControllableLoad } from "../domain/controllable-load.js";
import type { Webhook } from "../domain/delivery.js";
import type { Dispatch } from "../domain/dispatch.js";
import type { Period } from "../domain/period.js";
import { isRefusal, type Result } from "../domain/refusal.js";
import type { AvailabilityBlock } from "../domain/schedule.js";
import type { Site } from "../domain/site.js";
import type { TelemetryWindow } from "../domain/telemetry-window.js";
import type { Within } from "./answer-once.js";
import type { Caller } from "./caller.js";
import { changeSchedule, type ScheduleChange } from "./change-schedule.js";
import { createTestDispatch, type IssuingStores } from "./create-dispatch.js";
import { type DispatchView, findDispatch, listDispatches } from "./list-dispatches.js";
import { deleteWebhook, type NewWebhook, registerWebhook, type WebhookPorts } from "./manage-webhooks.js";
import type { DispatchReport, SiteReport } from "./measure-dispatch.js";
import type { Ports, Caller } from "./ports.js";
import { type Looked, lookedAt } from "./preparing.js";
import { readTelemetry, type TelemetryAnswer, type TelemetryReader } from "./read-telemetry.js";
import type { ControllableLoadPorts } from "./record-controllable-load.js";
import { recordControllableLoad } from "./record-controllable-load.js";
import { recordTelemetry, type TelemetryPorts, type TelemetryUpload } from "./record-telemetry.js";
import type { Upload } from "./upload.js";
import type { PerformanceView, WantedVersion } from "./view-performance.js";
import { visibleReport, visibleSiteReport } from "./visible-report.js";
import { sitesVisibleTo, type Visible } from "./visible-sites.js";
import { visibleTelemetry } from "./visible-telemetry.js";

/** Whether whoever asks gets to see the answer: that to a HEAD leaves out what it would prove. */
export type Sight = "seen" | "unseen";

/** Everything a participant can ask of one environment; routes know nothing else. */
export interface ParticipantService {
  listDispatches(caller: Caller, sight: Sight): Promise<readonly Dispatch[]>;
  findDispatch(caller: Caller, id: string, sight: Sight): Promise<Result<Dispatch>>;
  /** What the caller's own sites deliver, or delivered. */
  dispatchPerformance(caller: Caller, id: string, version: WantedVersion): Promise<Looked<Visible<DispatchReport>>>;
  sitePerformance(
    caller: Caller,
    id: string,
    siteId: string,
    version: WantedVersion,
  ): Promise<Looked<Visible<SiteReport>>>;
  /** @param within the transaction that keeps the answer, where there is one */
  createTestDispatch(caller: Caller, period: Period, within: Partial<Within<IssuingStores>>): Promise<Result<Dispatch>>;
  listSites(caller: Caller): Promise<readonly Site[]>;
  changeSchedule(caller: Caller, change: ScheduleChange): Promise<Result<AvailabilityBlock>>;
  recordTelemetry(caller: Caller, upload: TelemetryUpload): Promise<Result<number>>;
  recordControllableLoad(caller: Caller, upload: Upload<UploadedControllableLoad>): Promise<Result<number>>;
  listWebhooks(caller: Caller): Promise<readonly Webhook[]>;
  registerWebhook(caller: Caller, webhook: NewWebhook): Promise<Result<Webhook>>;
  deleteWebhook(caller: Caller, id: string): Promise<Result<Webhook>>;
  readTelemetry(
    caller: Caller,
    siteIds: readonly string[],
    window: TelemetryWindow,
  ): Promise<Result<Visible<TelemetryAnswer>>>;
}

export interface ParticipantPorts {
  readonly ports: WebhookPorts & Ports<IssuingStores>;
  readonly dispatches: DispatchView;
  readonly telemetry: TelemetryPorts;
  readonly controllableLoad: ControllableLoadPorts;
  readonly reader: TelemetryReader;
  readonly performance: PerformanceView;
}

/** The operations over one environment's ports. */
export const participantService = ({
  ports,
  dispatches,
  telemetry,
  controllableLoad,
  reader,
  performance,
}: ParticipantPorts): ParticipantService => {
  const reading = { dispatches, clock: ports.clock };
  return {
    listDispatches: (caller) => listDispatches(reading, caller),
    findDispatch: (caller, id) => findDispatch(reading, caller, id),
    async dispatchPerformance(caller, id, version) {
      const seen = await findDispatch(reading, caller, id);
      if (isRefusal(seen)) return seen;
      const report = await performance.ofDispatch(id, { accountId: caller.accountId }, version);
      const sites = await sitesVisibleTo(ports.stores.sites, caller);
      return lookedAt(report, (found) => visibleReport(found, sites));
    },
    async sitePerformance(caller, id, siteId, version) {
      const seen = await findDispatch(reading, caller, id);
      if (isRefusal(seen)) return seen;
      const report = await performance.ofSite(id, { accountId: caller.accountId, siteId }, version);
      const sites = await sitesVisibleTo(ports.stores.sites, caller);
      return lookedAt(report, (found) => visibleSiteReport(found, sites));
    },
    createTestDispatch: (caller, period, within) => createTestDispatch({ ...ports, ...within }, caller, period),
    listSites: (caller) => ports.stores.sites.ofAccount(caller.accountId),
    changeSchedule: (caller, change) => changeSchedule(ports, caller, change),
    listWebhooks: (caller) => ports.stores.webhooks.ofAccount(caller.accountId),
    registerWebhook: (caller, webhook) => registerWebhook(ports, caller, webhook),
    deleteWebhook: (caller, id) => deleteWebhook(ports, caller, id),
    recordTelemetry: (caller, upload) => recordTelemetry(telemetry, caller, upload),
    recordControllableLoad: (caller, uploaded) => recordControllableLoad(controllableLoad, caller, uploaded),
    async readTelemetry(caller, siteIds, window) {
      const answer = await readTelemetry(reader, caller, siteIds, window);
      if (isRefusal(answer)) return answer;
      return visibleTelemetry(answer, caller.accountId, await sitesVisibleTo(ports.stores.sites, caller));
    },
  };
};
