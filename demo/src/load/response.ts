/** How a site answers a dispatch. */
export interface Response {
  readonly delaySeconds: number;
  readonly rampSeconds: number;
  /** Share of its commitment that it really sheds; 0: it ignores dispatches. */
  readonly delivers: number;
}

/** A dispatch as a site lives it. */
export interface Call {
  /** When the site learned of it. */
  readonly heardMs: number;
  readonly startMs: number;
  /** Infinity while no end is known. */
  readonly endMs: number;
}

const SNAP_BACK_SECONDS = 60;
const REBOUND_SECONDS = 2700;

/** How far a site has come down: 0 not at all, 1 as far as it goes. */
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

/** What has to be made up for after an end: 1 right after it, falling to 0. */
export const reboundAt = (calls: readonly Call[], atMs: number): number =>
  Math.max(
    0,
    ...calls.map(({ heardMs, startMs, endMs }) => {
      const sinceSeconds = (atMs - endMs) / 1000;
      const wasHeld = heardMs < endMs && startMs < endMs;
      return wasHeld && sinceSeconds >= 0 ? Math.max(0, 1 - sinceSeconds / REBOUND_SECONDS) : 0;
    }),
  );
