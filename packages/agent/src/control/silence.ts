/**
 * How long running processes have tried in vain to reach the service. Time in which no process runs does not count: a
 * power cut says nothing about the service. Times are of a clock that does not jump.
 */
export interface Silence {
  /** What counts, added up over restarts. */
  readonly ms: number;
  /** Time in this process that counts as soon as an attempt is in vain. */
  readonly untriedMs: number;
  /** What happened last in this process. */
  readonly since: "start" | "answer" | "failure";
  /** Counted until then. */
  readonly atMs: number;
}

/** A longer step is a pause of the process or of the machine. */
const LONGEST_STEP_MS = 10_000;

/** The silence of a process that starts, after what earlier ones have counted. */
export const silenceFrom = (ms: number, atMs: number): Silence => ({ ms, untriedMs: 0, since: "start", atMs });

export const silenceAt = (silence: Silence, atMs: number): Silence => {
  const ranMs = Math.min(Math.max(0, atMs - silence.atMs), LONGEST_STEP_MS);
  return silence.since === "failure"
    ? { ...silence, ms: silence.ms + ranMs, atMs }
    : { ...silence, untriedMs: silence.untriedMs + ranMs, atMs };
};

/** After an attempt in vain all time since the start or the last answer counts. */
export const silenceAfterFailure = (silence: Silence, atMs: number): Silence => {
  const { ms, untriedMs } = silenceAt(silence, atMs);
  return { ms: ms + untriedMs, untriedMs: 0, since: "failure", atMs };
};

export const silenceAfterAnswer = (atMs: number): Silence => ({ ms: 0, untriedMs: 0, since: "answer", atMs });
