import type { operator } from "@curtail/contract";

export type TimelineEntry = operator.TimelineEntry;

/** A moment of the timeline that no entry of the service has. */
export type Moment =
  | { readonly kind: "entry"; readonly at: string; readonly entry: TimelineEntry }
  | { readonly kind: "start" | "end"; readonly at: string }
  | { readonly kind: "readings_stopped" | "readings_back"; readonly at: string; readonly sites: number };

interface Times {
  readonly authorized: boolean;
  readonly start_time: string;
  readonly end_time: string | null;
}

interface Cell {
  /** End of the interval. */
  readonly timestamp: string;
  /** Sites with a reading. */
  readonly sites: number;
}

/** Everything that happened until now, oldest first. */
export const timelineOf = (
  entries: readonly TimelineEntry[],
  dispatch: Times,
  cells: readonly Cell[],
  now: Date,
): readonly Moment[] => {
  const { start_time: start, end_time: end } = dispatch;
  const passed = ({ at }: Moment) => Date.parse(at) <= now.getTime();
  const times: Moment[] = dispatch.authorized
    ? [{ kind: "start", at: start }, ...(end === null ? [] : [{ kind: "end" as const, at: end }])]
    : [];
  const within = cells.filter(
    ({ timestamp }) =>
      timestamp > start && (end === null || timestamp <= end) && Date.parse(timestamp) <= now.getTime(),
  );
  const moments: Moment[] = [
    ...entries.map((entry) => ({ kind: "entry" as const, at: entry.at, entry })),
    ...times.filter(passed),
    ...readingChanges(within),
  ];
  return moments.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
};

/** Many sites at once: at least two, and a fifth of those that sent readings. */
const MANY_SHARE = 0.2;
const MANY_SITES = 2;

/** When readings of many sites stopped, and when they came again. */
const readingChanges = (cells: readonly Cell[]): Moment[] => {
  const changes: Moment[] = [];
  let most = 0;
  let missing = 0;
  for (const { timestamp, sites } of cells) {
    most = Math.max(most, sites);
    const lost = most - sites;
    const isMany = lost >= MANY_SITES && lost >= most * MANY_SHARE;
    if (missing === 0 && isMany) {
      missing = lost;
      changes.push({ kind: "readings_stopped", at: timestamp, sites: lost });
    } else if (missing > 0 && !isMany) {
      changes.push({ kind: "readings_back", at: timestamp, sites: missing - lost });
      missing = 0;
    }
  }
  return changes;
};
