import { LogOverlay, type Snapshot } from "./log-overlay.js";
import type { LoggedReadings, NewestReadings } from "./logged-readings.js";

/** The oldest readings of the log. */
interface OldestReadings {
  /** All transactions before it are over, and what they appended is `readings`. */
  readonly before: number;
  /** Whether there are more of those that can be folded. */
  readonly isPart: boolean;
  /** Whether there are none. */
  readonly isEmpty: boolean;
  readonly readings: LogOverlay;
}

/** What the log has that is not folded. */
export interface LogState {
  readonly readings: number;
  /** When the oldest of them was appended, by the clock of the database; null: there are none. */
  readonly oldestMs: number | null;
  readonly nowMs: number;
  /** Series that it has readings of (`seriesOf`), up to 1,024 at once. */
  readonly series: () => Iterable<readonly number[]>;
  /** The newest power of each meter, or of those among some, in the order of their numbers. */
  readonly newest: (among: readonly number[] | null) => Iterable<NewestReadings>;
  /** Those that can be folded, of whole transactions that began before `untilMs`: until there are `most` or some more. */
  readonly oldest: (most: number, untilMs: number) => OldestReadings;
}

/** What a statement saw. */
interface Sight {
  readonly snapshot: Snapshot;
  readonly foldedBelow: number;
  readonly nowMs: number;
}

/** The log as a statement saw it, which a process has taken in. */
export const stateOf = (logged: LoggedReadings, { snapshot, foldedBelow, nowMs }: Sight): LogState => ({
  readings: logged.count,
  oldestMs: logged.oldestMs,
  nowMs,
  series: () => logged.series(),
  newest: (among) => logged.newestReadings(among),
  oldest: (most, untilMs) => {
    const end = Math.min(snapshot.xmin, logged.endOfBegunBefore(untilMs));
    const before = Math.min(end, logged.endOfOldest(most));
    return {
      before,
      isPart: before < end,
      isEmpty: !logged.hasBelow(before),
      readings: new LogOverlay(logged, { xmin: before, xmax: before, open: new Set() }, foldedBelow),
    };
  },
});
