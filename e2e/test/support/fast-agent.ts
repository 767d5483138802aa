import type { Clock } from "@curtail/agent";

/** The service takes no readings of the future, so the clock may not overtake it. */
export const BEGINS_BEFORE_MS = 30 * 60_000;

/** A clock that begins some time ago, runs ten times as fast, and can be moved: an interval takes three seconds. */
export const fastClock = (): Clock & { readonly move: (ms: number) => void } => {
  const begun = performance.now();
  const start = Date.now() - BEGINS_BEFORE_MS;
  let moved = 0;
  const monotonic = (): number => (performance.now() - begun) * 10 + moved;
  return {
    monotonic,
    now: () => start + monotonic(),
    move: (ms) => {
      moved += ms;
    },
  };
};
