import { type TelemetryReading, uploadTelemetry } from "@curtail/contract";
import type { Call } from "./load/response.js";
import type { LiveSite, Participant } from "./participants.js";

/** Readings after `fromMs` up to `untilMs`, one every `seconds`. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly seconds: number;
}

type CallsOf = (site: LiveSite) => readonly Call[];

const BATCH = 10_000;

/** Uploads the readings of a participant's sites for a period. */
export const fill = async (participant: Participant, span: Span, callsOf: CallsOf): Promise<void> => {
  let batch: TelemetryReading[] = [];
  for (const site of participant.sites) {
    for (const reading of readingsOf(site, span, callsOf(site))) {
      batch.push(reading);
      if (batch.length < BATCH) continue;
      await participant.call(uploadTelemetry, { body: { telemetry: batch } });
      batch = [];
    }
  }
  if (batch.length > 0) await participant.call(uploadTelemetry, { body: { telemetry: batch } });
};

function* readingsOf(
  { known, simulate }: LiveSite,
  { fromMs, untilMs, seconds }: Span,
  calls: readonly Call[],
): Generator<TelemetryReading> {
  for (let endMs = fromMs + seconds * 1000; endMs <= untilMs; endMs += seconds * 1000) {
    const timestamp = new Date(endMs).toISOString();
    for (const [at, kW] of simulate({ endMs, seconds }, calls).entries())
      yield { meter_id: known.meterIds[at] ?? "", interval_seconds: seconds, timestamp, kW };
  }
}
