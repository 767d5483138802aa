/** Time, so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970; may jump when the clock is set. */
  readonly now: () => number;
  /** Milliseconds since some moment; never jumps. */
  readonly monotonic: () => number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** A difference between both clocks that a slow step does not explain. */
const JUMP_MS = 2_000;

/** How far the clock was set between two steps; 0: it was not. */
export const jumpBetween = (
  before: { readonly nowMs: number; readonly monotonicMs: number },
  after: { readonly nowMs: number; readonly monotonicMs: number },
): number => {
  const jump = after.nowMs - before.nowMs - (after.monotonicMs - before.monotonicMs);
  return Math.abs(jump) > JUMP_MS ? jump : 0;
};
