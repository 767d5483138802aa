import type { Caller } from "../../access/operations/caller.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import type { SiteStore } from "../../portfolio/operations/site-ports.js";
import { sitesVisibleTo, type Visible } from "../../portfolio/operations/visible-sites.js";
import type { UploadedControllableLoad } from "../domain/controllable-load.js";
import type { TelemetryWindow } from "../domain/telemetry-window.js";
import { readTelemetry, type TelemetryAnswer, type TelemetryReader } from "./read-telemetry.js";
import { type ControllableLoadPorts, recordControllableLoad } from "./record-controllable-load.js";
import { recordTelemetry, type TelemetryPorts, type TelemetryUpload } from "./record-telemetry.js";
import type { Upload } from "./upload.js";
import { visibleTelemetry } from "./visible-telemetry.js";

/** An accepted upload. */
export interface Received {
  /** Number of readings. */
  readonly received: number;
  /** What production would refuse; in the sandbox only (G67). */
  readonly warnings?: readonly string[];
}

/** Uploads of meters. */
export interface UploadService {
  recordTelemetry(caller: Caller, upload: TelemetryUpload): Promise<Result<Received>>;
  recordControllableLoad(caller: Caller, upload: Upload<UploadedControllableLoad>): Promise<Result<Received>>;
}

const receivedOf = (count: Result<number>): Result<Received> => (isRefusal(count) ? count : { received: count });

/** Participants' uploads and reads of telemetry. */
export interface TelemetryService extends UploadService {
  readTelemetry(
    caller: Caller,
    siteIds: readonly string[],
    window: TelemetryWindow,
  ): Promise<Result<Visible<TelemetryAnswer>>>;
}

export interface TelemetryServicePorts {
  readonly telemetry: TelemetryPorts;
  readonly controllableLoad: ControllableLoadPorts;
  readonly reader: TelemetryReader;
  readonly sites: Pick<SiteStore, "displayed">;
}

export const telemetryService = ({
  telemetry,
  controllableLoad,
  reader,
  sites,
}: TelemetryServicePorts): TelemetryService => ({
  recordTelemetry: async (caller, upload) => receivedOf(await recordTelemetry(telemetry, caller, upload)),
  recordControllableLoad: async (caller, uploaded) =>
    receivedOf(await recordControllableLoad(controllableLoad, caller, uploaded)),
  async readTelemetry(caller, siteIds, window) {
    const answer = await readTelemetry(reader, caller, siteIds, window);
    if (isRefusal(answer)) return answer;
    return visibleTelemetry(answer, caller.accountId, await sitesVisibleTo(sites, caller));
  },
});
