import { type TelemetryReading, uploadTelemetry } from "@curtail/contract";
import { type Call, readingsOf, type Span } from "@curtail/simulation";
import type { LiveSite, Participant } from "./participants.js";

type CallsOf = (site: LiveSite) => readonly Call[];

const BATCH = 10_000;

/** Uploads the readings of a participant's sites for a period. */
export const fill = async (participant: Participant, span: Span, callsOf: CallsOf): Promise<void> => {
  let batch: TelemetryReading[] = [];
  for (const site of participant.sites) {
    for (const reading of uploadOf(site, span, callsOf(site))) {
      batch.push(reading);
      if (batch.length < BATCH) continue;
      await participant.call(uploadTelemetry, { body: { telemetry: batch } });
      batch = [];
    }
  }
  if (batch.length > 0) await participant.call(uploadTelemetry, { body: { telemetry: batch } });
};

function* uploadOf({ known, simulate }: LiveSite, span: Span, calls: readonly Call[]): Generator<TelemetryReading> {
  for (const { meter, endMs, kw } of readingsOf(simulate, span, calls))
    yield {
      meter_id: known.meterIds[meter] ?? "",
      interval_seconds: span.seconds,
      timestamp: new Date(endMs).toISOString(),
      kW: kw,
    };
}
