const MINUTE_MS = 60_000;
/** A meter without a reading for so long is silent, if it reported in the last week. */
const SILENT_MS = 15 * MINUTE_MS;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

/** How the meters of a site report. */
export interface ReportingState {
  readonly lastReadingAt: Date | null;
  /** Number of meters because of which the site cannot be measured. */
  readonly staleMeters: number;
  /** The site cannot be measured: no meter reports, or one has fallen silent. The rule of `CANNOT_BE_MEASURED`. */
  readonly isStale: boolean;
}

/** @param newest when the newest reading of each meter ends; null: it has none */
export const reportingState = (newest: ReadonlyArray<Date | null>, now: Date): ReportingState => {
  const agesMs = newest.flatMap((at) => (at === null ? [] : [now.getTime() - at.getTime()]));
  const youngestMs = Math.min(...agesMs);
  const silent = agesMs.filter((ageMs) => ageMs >= SILENT_MS && ageMs <= WEEK_MS).length;
  const isOverdue = youngestMs >= SILENT_MS;
  return {
    lastReadingAt: agesMs.length === 0 ? null : new Date(now.getTime() - youngestMs),
    staleMeters: isOverdue ? newest.length : silent,
    isStale: isOverdue || silent > 0,
  };
};
