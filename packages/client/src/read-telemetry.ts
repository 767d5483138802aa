import type { Participant } from "./participant.js";
import type { RetrievedReading } from "./participant-types.js";
import { telemetryRequests } from "./telemetry-requests.js";

/** Which readings to read. */
export interface TelemetryPeriod {
  /** Sites of the account, as many as you like. */
  readonly siteIds: readonly string[];
  /** Exclusive. RFC 3339, or a date. */
  readonly start: string | Date;
  /** Inclusive. RFC 3339, or a date. */
  readonly end: string | Date;
  /** Length of the intervals in seconds. Default: 30. */
  readonly intervalSeconds?: 30 | 60 | 300 | 900 | 1800 | 3600 | 21_600;
  /** Aborting it ends the iteration; it then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Consecutive readings of a meter, oldest first; missing intervals are left out. */
export interface MeterReadings {
  /** The site. */
  readonly site_id: string;
  /** The meter. */
  readonly meter_id: string;
  /** Mean power of each interval in kW, by its end. */
  readonly readings: readonly RetrievedReading[];
}

/**
 * Reads stored telemetry of any number of sites over a period of any length, one request after the other. Yields the
 * readings of each meter of a request, and later ones of the same meter after the next. Meters without readings are
 * left out. No interval is yielded twice.
 *
 * @throws RangeError if start or end is not a time
 * @example
 * for await (const { meter_id, readings } of readTelemetry(participant, { siteIds: [id], start, end }))
 *   await store(meter_id, readings);
 */
export async function* readTelemetry(
  { readTelemetry: read }: Pick<Participant, "readTelemetry">,
  { siteIds, start, end, intervalSeconds = 30, signal }: TelemetryPeriod,
): AsyncGenerator<MeterReadings, void> {
  const period = { startMs: msOf("start", start), endMs: msOf("end", end) };
  for (const request of telemetryRequests({ siteIds, intervalSeconds, ...period })) {
    const { data } = await read(
      { ...request, interval_seconds: intervalSeconds },
      signal === undefined ? {} : { signal },
    );
    for (const { site_id, meters } of data.sites)
      for (const { meter_id, telemetry } of meters)
        if (telemetry.length > 0) yield { site_id, meter_id, readings: telemetry };
  }
}

const msOf = (name: string, time: string | Date): number => {
  const ms = new Date(time).getTime();
  if (Number.isNaN(ms)) throw new RangeError(`${name} is not a time: ${String(time)}; give RFC 3339 with an offset`);
  return ms;
};
