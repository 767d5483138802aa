/** How a site responds to a dispatch. */
export interface Response {
  readonly delaySeconds: number;
  readonly rampSeconds: number;
  /** Share of its commitment that it delivers; 0: it ignores dispatches. */
  readonly delivers: number;
}

/** A dispatch from a site's point of view. */
export interface Call {
  /** When the site learned of it. */
  readonly heardMs: number;
  readonly startMs: number;
  /** Infinity while the end is unknown. */
  readonly endMs: number;
}

const SNAP_BACK_SECONDS = 60;
const REBOUND_SECONDS = 2700;

/** Depth of curtailment: 0 is none, 1 is full. */
export const depthAt = (calls: readonly Call[], response: Response, atMs: number): number =>
  Math.max(0, ...calls.map((call) => depthOf(call, response, atMs)));

const depthOf = (call: Call, { delaySeconds, rampSeconds }: Response, atMs: number): number => {
  const beginMs = Math.max(call.heardMs, call.startMs) + delaySeconds * 1000;
  const heldMs = Math.min(atMs, call.endMs) - beginMs;
  if (heldMs < 0) return 0;
  const reached = rampSeconds === 0 ? 1 : Math.min(1, heldMs / 1000 / rampSeconds);
  const sinceEndSeconds = Math.max(0, atMs - call.endMs) / 1000;
  return reached * Math.max(0, 1 - sinceEndSeconds / SNAP_BACK_SECONDS);
};

/** Rebound after an end: 1 right after it, falling to 0. */
export const reboundAt = (calls: readonly Call[], atMs: number): number =>
  Math.max(
    0,
    ...calls.map(({ heardMs, startMs, endMs }) => {
      const sinceSeconds = (atMs - endMs) / 1000;
      const wasHeld = heardMs < endMs && startMs < endMs;
      return wasHeld && sinceSeconds >= 0 ? Math.max(0, 1 - sinceSeconds / REBOUND_SECONDS) : 0;
    }),
  );
