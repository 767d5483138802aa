import { participantClient } from "@curtail/client";
import { uploadTelemetry } from "@curtail/contract";
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  readonly intervalSeconds: number;
}

const PER_UPLOAD = 20_000;

/** Uploads a meter's load over a period with the participant's key; a reading ends at each step. */
export const uploadLoad = async (
  url: string,
  key: string,
  meterId: string,
  { fromMs, toMs, intervalSeconds }: Span,
  kwAt: (endMs: number) => number | null,
): Promise<void> => {
  const stepMs = intervalSeconds * 1000;
  const first = Math.floor(fromMs / stepMs) + 1;
  const ends = Array.from({ length: Math.floor(toMs / stepMs) - first + 1 }, (_, index) => (first + index) * stepMs);
  const readings = ends.flatMap((endMs) => {
    const kW = kwAt(endMs);
    const timestamp = new Date(endMs).toISOString();
    return kW === null ? [] : [{ meter_id: meterId, interval_seconds: intervalSeconds, timestamp, kW }];
  });
  for (let from = 0; from < readings.length; from += PER_UPLOAD) {
    const telemetry = readings.slice(from, from + PER_UPLOAD);
    await participantClient({ url, key }).call(uploadTelemetry, { body: { telemetry } });
  }
};
