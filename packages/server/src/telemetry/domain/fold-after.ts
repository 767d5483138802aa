/** What an operator set: after how many seconds the log is folded into rows, or that no more is appended to it. */
export type FoldAfter = number | "off" | null;

/** Whether uploads are appended to the log. */
export const isLogging = (given: FoldAfter): given is number => given !== null && given !== "off";

/** Looks at the log are this far apart at most. */
const LOOK_SECONDS = 10;

/** How often to look whether a fold is due. */
export const foldLookMs = (given: FoldAfter): number =>
  Math.min(LOOK_SECONDS, isLogging(given) ? given : LOOK_SECONDS) * 1000;

/** For what was appended by other processes, or before it was turned off. */
const USUAL_SECONDS = 300;

/** Beyond this number, whatever their age: each process that reads telemetry keeps some 32 bytes for each. */
const MOST_READINGS = 4_000_000;

/** What the log has. */
export interface LogSize {
  readonly readings: number;
  /** Since the oldest was appended; null: it has none. */
  readonly ageMs: number | null;
}

export const isFoldDue = ({ readings, ageMs }: LogSize, given: FoldAfter): boolean =>
  ageMs !== null && (ageMs >= (isLogging(given) ? given : USUAL_SECONDS) * 1000 || readings >= MOST_READINGS);
