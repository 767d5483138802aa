/** What one request of stored telemetry may ask for (specification "Limits"; G25). */
const MAX_SITES = 50;
const MAX_POINTS = 10_000;
const MAX_DAYS = 90;

const SECOND_MS = 1000;
const DAY_MS = 86_400 * SECOND_MS;

export interface TelemetryRequest {
  readonly site_id: readonly string[];
  readonly start_time: string;
  readonly end_time: string;
}

/**
 * Splits a period into requests within the limits of the interface, oldest first. Cuts lie on the intervals' grid in
 * UTC, so that no interval is in two requests.
 *
 * @param startMs exclusive, in milliseconds of Unix time
 * @param endMs inclusive
 */
export function* telemetryRequests({
  siteIds,
  startMs,
  endMs,
  intervalSeconds,
}: {
  readonly siteIds: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
  readonly intervalSeconds: number;
}): Generator<TelemetryRequest> {
  const intervalMs = intervalSeconds * SECOND_MS;
  const stepMs = Math.min(MAX_POINTS, Math.floor((MAX_DAYS * DAY_MS) / intervalMs)) * intervalMs;
  for (let from = startMs; from < endMs; ) {
    const to = Math.min(Math.floor(from / intervalMs) * intervalMs + stepMs, endMs);
    for (let first = 0; first < siteIds.length; first += MAX_SITES)
      yield { site_id: siteIds.slice(first, first + MAX_SITES), start_time: timeOf(from), end_time: timeOf(to) };
    from = to;
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString();
