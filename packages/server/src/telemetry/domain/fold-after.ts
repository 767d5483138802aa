import type { Condition } from "../../platform/alarm.js";

const MINUTE_MS = 60_000;

/** After how many seconds the log is folded into rows, or that no more is appended to it; null: nothing is said. */
export type FoldAfter = number | "off" | null;

/** Under which name a store keeps what counts where the operator says nothing; migration 0164 writes it for new ones. */
export const FOLD_AFTER_SETTING = "fold_after";

/**
 * @param given by the operator
 * @param kept by the store; null: it is older than the log by default
 */
export const foldAfterIn = (given: FoldAfter, kept: string | null): FoldAfter =>
  given ?? (kept === null ? null : Number(kept));

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
  /** When the oldest was appended, by the clock of the database; null: it has none. */
  readonly oldestMs: number | null;
  readonly nowMs: number;
}

const foldSeconds = (given: FoldAfter): number => (isLogging(given) ? given : USUAL_SECONDS);

/** Of what is set: so late after the end of an hour it is folded, five minutes, after what begins with the next one. */
const SETTLE = 1 / 12;
/** Of what is set: what comes so late is folded with its hour. In 28.8 s no reading of the next hour has ended. */
const GRACE = 1 / 125;

/**
 * Until when readings were appended that are to be folded, to the last hour (or as long as is set) that is over. An hour's row is
 * so written once, with all that came within half a minute of its end, and not with a few readings of the next one.
 *
 * @returns null: none are due; infinite: all, as there are too many
 */
export const foldUntilMs = ({ readings, oldestMs, nowMs }: LogSize, given: FoldAfter): number | null => {
  if (oldestMs === null) return null;
  if (readings >= MOST_READINGS) return Number.POSITIVE_INFINITY;
  const everyMs = foldSeconds(given) * 1000;
  const end = Math.floor((nowMs - SETTLE * everyMs) / everyMs) * everyMs + GRACE * everyMs;
  return oldestMs < end ? end : null;
};

/** More than a fold takes. */
const LATE_MS = 300_000;

/** How long a reading may wait: what is appended just after a fold is folded by the next. */
const dueMs = (given: FoldAfter): number => foldSeconds(given) * 1000 * (1 + SETTLE);

/** The alarm for a log that is not folded. @param ageMs since its oldest reading was appended; null: it has none */
export const unfoldedConditions = (ageMs: number | null, given: FoldAfter): readonly Condition[] =>
  ageMs === null || ageMs < dueMs(given) + LATE_MS
    ? []
    : [
        {
          kind: "readings_unfolded",
          subject: "log",
          accountId: null,
          message:
            `The oldest reading of the log was appended ${Math.floor(ageMs / MINUTE_MS)} minutes ago. All are safe and are read as ` +
            "usual, but each process keeps them in memory. Start a process with the role worker; if one runs, see its log, and end " +
            "the transaction that has been open in the database for longest.",
        },
      ];
