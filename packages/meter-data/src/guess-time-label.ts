import type { Findings } from "./findings.js";
import type { Doubt, TimeMapping } from "./mapping.js";
import { RowTimeReader } from "./row-time.js";
import type { Survey } from "./survey.js";
import { isTimeName, type Sample } from "./table-sample.js";
import { hasWord, words } from "./words.js";

const DAY_MS = 86_400_000;

/** What the name of a column of times says that it marks. */
export const markOf = (name: string): "start" | "end" | null => {
  const [isStart, isEnd] = [hasWord(name, words.start), hasWord(name, words.end)];
  if (isStart !== isEnd) return isStart ? "start" : "end";
  if (!isTimeName(name) || isStart) return null;
  const [weakStart, weakEnd] = [hasWord(name, words.weakStart), hasWord(name, words.weakEnd)];
  if (weakStart === weakEnd) return null;
  return weakStart ? "start" : "end";
};

/** Hours from 1 to 24 are those that end then. */
export const hoursMark = ({ rows }: Sample, [, clock]: readonly number[]): "end" | null => {
  if (clock === undefined) return null;
  return rows.some((cells) => /^24(?::00){0,2}$|^2400$/.test(cells[clock - 1] ?? "")) ? "end" : null;
};

type Marked = Pick<TimeMapping, "label" | "midnight">;

/** Whether times mark the start or the end, if no name says so: whole days begin with the one and end with the other. */
export const markedBy = (
  time: TimeMapping,
  survey: Survey,
  { line, lengthMs }: { readonly line: number; readonly lengthMs: number | null },
  { reasons, doubts }: Findings,
): Marked => {
  const extent = extentOf(time, survey, lengthMs);
  if (extent.hasDayEnds) {
    reasons.push(
      "00:00 follows the last time of the same date, so times mark the end of intervals, and 00:00 is 24:00",
    );
    return { label: "end", midnight: "ends_day" };
  }
  const { midnight } = time;
  const told = wholeDays(extent, lengthMs);
  if (told === null) doubts.push(labelDoubt(line));
  else reasons.push(told.why);
  return { label: told?.label ?? "start", midnight };
};

interface Extent {
  /** Days of UTC are whole by chance, or because the data was requested for such days. */
  readonly isLocal: boolean;
  readonly least: number;
  readonly most: number;
  readonly hasDayEnds: boolean;
}

const extentOf = (time: TimeMapping, survey: Survey, lengthMs: number | null): Extent => {
  const reader = new RowTimeReader(time, null);
  let isLocal = !time.format.startsWith("unix");
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const ends = new DayEnds(lengthMs);
  for (const { cells } of survey.rows()) {
    const local = reader.localOf(cells);
    if (local === null) continue;
    ends.see(local);
    isLocal &&= !cells.some((cell) => /\d(?:Z|UTC|GMT)$/i.test(cell));
    least = Math.min(least, local);
    most = Math.max(most, local);
  }
  return { isLocal, least, most, hasDayEnds: ends.counted() > 0 };
};

const wholeDays = (
  { isLocal, least, most }: Extent,
  lengthMs: number | null,
): { readonly label: "start" | "end"; readonly why: string } | null => {
  if (!isLocal || lengthMs === null || most - least < DAY_MS - lengthMs) return null;
  const [first, last] = [least % DAY_MS, most % DAY_MS];
  if (first === 0 && last === DAY_MS - lengthMs)
    return {
      label: "start",
      why: `the first time is 00:00 and the last ${clockText(last)}, so times mark the start of intervals`,
    };
  if (first === lengthMs && last === 0)
    return {
      label: "end",
      why: `the first time is ${clockText(first)} and the last 00:00, so times mark the end of intervals`,
    };
  return null;
};

const clockText = (ms: number): string => new Date(ms).toISOString().slice(11, 16);

const labelDoubt = (line: number): Doubt => ({
  line,
  member: "time.label",
  question:
    "Do times mark the start or the end of an interval? The header does not tell, and the file does not begin and end with whole days.",
  choices: [
    { value: "start", meaning: "the start" },
    { value: "end", meaning: "the end" },
  ],
});

/** Counts days that end with 00:00 under their own date, after which the next date begins. */
class DayEnds {
  private count = 0;
  private first = Number.NaN;
  private before = Number.NaN;
  private isMidnight = false;

  constructor(private readonly lengthMs: number | null) {}

  see(local: number): void {
    if (Number.isNaN(this.before)) this.first = local;
    if (this.isMidnight && local - this.before === DAY_MS + (this.lengthMs ?? 0)) this.count += 1;
    this.isMidnight = local % DAY_MS === 0 && this.before - local === DAY_MS - (this.lengthMs ?? 0);
    this.before = local;
  }

  /** The last day counts if the first one begins after midnight. */
  counted(): number {
    return this.count + (this.isMidnight && this.first % DAY_MS === this.lengthMs ? 1 : 0);
  }
}
