/** Results are reused for this long, so that scraping cannot load the service or the database. */
const KEPT_MS = 1000;

/** Calls `make` at most once a second, and once at a time. */
export const kept = <T>(make: () => Promise<T>, monotonicMs: () => number): (() => Promise<T>) => {
  let last: Promise<T> | undefined;
  let untilMs = 0;
  return () => {
    if (last !== undefined && monotonicMs() < untilMs) return last;
    untilMs = Number.POSITIVE_INFINITY;
    last = make().finally(() => {
      untilMs = monotonicMs() + KEPT_MS;
    });
    return last;
  };
};
