import type { Caller } from "../../access/operations/caller.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import type { SiteStore } from "../../portfolio/operations/portfolio-stores.js";
import {
  sitesVisibleTo,
  type Visible,
  type VisibleSites,
  visiblePart,
} from "../../portfolio/operations/visible-sites.js";
import type { UploadedControllableLoad } from "../domain/controllable-load.js";
import type { TelemetryWindow } from "../domain/telemetry-window.js";
import { type MeterPoints, readTelemetry, type TelemetryAnswer, type TelemetryReader } from "./read-telemetry.js";
import { type ControllableLoadPorts, recordControllableLoad } from "./record-controllable-load.js";
import { recordTelemetry, type TelemetryPorts, type TelemetryUpload } from "./record-telemetry.js";
import type { Upload } from "./upload.js";

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

/** The answer for an account, without the points of sites that are not visible; their meters stay. */
const visibleTelemetry = (
  answer: TelemetryAnswer,
  accountId: string,
  sites: VisibleSites,
): Visible<TelemetryAnswer> => {
  const of = answer.sites.map(({ siteId }) => ({ siteId, accountId }));
  const keep = (isSeen: readonly boolean[]) => ({ ...answer, pieces: onlySeen(answer.pieces, isSeen) });
  return visiblePart({ data: answer, of, keep }, sites);
};

async function* onlySeen(pieces: AsyncIterable<MeterPoints>, isSeen: readonly boolean[]): AsyncGenerator<MeterPoints> {
  for await (const piece of pieces) if (isSeen[piece.site] === true) yield piece;
}
