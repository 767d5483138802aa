const MINUTE_MS = 60_000;
/** One in so many has an interval that the service refuses. */
const REFUSED_EVERY = 777;

/** Whether the service refuses the reading with this number. */
export const isRefused = (number) => number % REFUSED_EVERY === REFUSED_EVERY - 1;

/** The reading with a number: minute by minute, meter by meter, each with a power of its own. */
export const readingAt = (number, { meters, startMs }) => ({
  meter_id: meters[number % meters.length],
  interval_seconds: isRefused(number) ? 45 : 60,
  timestamp: new Date(startMs + (Math.floor(number / meters.length) + 1) * MINUTE_MS).toISOString(),
  kW: number,
});
