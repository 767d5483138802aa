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
  /** Since the oldest was appended; null: it has none. */
  readonly ageMs: number | null;
}

const dueMs = (given: FoldAfter): number => (isLogging(given) ? given : USUAL_SECONDS) * 1000;

export const isFoldDue = ({ readings, ageMs }: LogSize, given: FoldAfter): boolean =>
  ageMs !== null && (ageMs >= dueMs(given) || readings >= MOST_READINGS);

/** More than a fold takes. */
const LATE_MS = 300_000;

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
