import type { Findings } from "./findings.js";
import type { Columns } from "./guess-columns.js";
import { type Length, lengthOf } from "./guess-length.js";
import { isUtc } from "./guess-time-columns.js";
import { timeFormatOf } from "./guess-time-format.js";
import { hoursMark, markedBy, markOf } from "./guess-time-label.js";
import type { StatedMapping, TimeMapping } from "./mapping.js";
import { momentOf } from "./moment.js";
import type { Survey } from "./survey.js";
import type { Sample } from "./table-sample.js";

/** What is known of times before their label is. */
export interface FoundTime {
  readonly time: Omit<TimeMapping, "label"> & { readonly label: "start" | "end" | null };
  readonly length: Length;
}

/** Format, zone and ends of times; what they mark only if names or the header say so. */
export const timeOf = (
  sample: Sample,
  columns: Columns,
  survey: Survey,
  stated: StatedMapping,
  findings: Findings,
): FoundTime => {
  const found = columns.time;
  const needsClock = found.columns.length === 1 && columns.matrix === null;
  const format = stated.time?.format ?? timeFormatOf(sample, { ...found, needsClock }, survey, findings);
  const midnight = stated.time?.midnight ?? "begins_day";
  const base = { columns: found.columns, end_columns: found.endColumns, range: found.range, format, midnight };
  const zone = zoneOf(sample, columns, format, stated, findings);
  const length = lengthOf(sample, { ...base, zone, label: "start" }, findings);
  const label = namedMark(sample, columns, findings);
  const isShort = length.isInclusive && stated.time?.end_columns === undefined;
  const ends = isShort ? [] : base.end_columns;
  if (isShort) findings.assumed.add("time.end_columns");
  return { time: { ...base, ...stated.time, zone, end_columns: ends, range: base.range, label }, length };
};

/** What times mark by their names, by ends in another column, or by hours to 24; null: none of these. */
const namedMark = (
  sample: Sample,
  { time: { columns, endColumns, range }, matrix, documented }: Columns,
  { reasons }: Findings,
): "start" | "end" | null => {
  const hasBothEnds = range || endColumns.length > 0 || matrix !== null;
  const name = sample.names[(columns.at(-1) ?? 1) - 1] ?? "";
  const mark = hasBothEnds ? "start" : (markOf(name) ?? markOf(sample.names[(columns[0] ?? 1) - 1] ?? ""));
  if (documented === null && mark !== null && !hasBothEnds)
    reasons.push(`the name "${name.slice(0, 60)}" says that times mark the ${mark} of intervals`);
  return documented?.label ?? mark ?? hoursMark(sample, columns);
};

/** With the label: that which is stated or named, else the one that the rows show. Registers are read at ends. */
export const labelled = (
  { time, length }: FoundTime,
  isCumulative: boolean,
  { sample, survey, stated }: { readonly sample: Sample; readonly survey: Survey; readonly stated: StatedMapping },
  findings: Findings,
): TimeMapping => {
  const known = stated.time?.label ?? time.label ?? (isCumulative ? "end" : null);
  if (known !== null) return { ...time, label: known };
  const lengthMs = stated.interval_seconds ? stated.interval_seconds * 1000 : length.usualMs;
  const at = { line: sample.firstLine, lengthMs };
  return { ...time, ...markedBy({ ...time, label: "start" }, survey, at, findings) };
};

const zoneOf = (
  sample: Sample,
  { time, documented }: Columns,
  format: TimeMapping["format"],
  stated: StatedMapping,
  { reasons, doubts }: Findings,
): string | null => {
  const zone = stated.time?.zone ?? null;
  if (documented?.isUtc === true) return "UTC";
  if (format.startsWith("unix")) return zone;
  if (time.columns.some((each) => isUtc(sample.names[each - 1] ?? ""))) {
    reasons.push("times are in UTC by the name of their column");
    return "UTC";
  }
  if (haveOffsets(sample, time.columns, format) && time.columns.length === 1 && !time.range)
    reasons.push("times have their offset from UTC");
  else if (zone === null)
    doubts.push({
      line: sample.firstLine,
      member: "time.zone",
      question: "In which time zone are the times? They have no offset from UTC.",
      choices: [],
    });
  return zone;
};

const haveOffsets = ({ rows }: Sample, [column = 1]: readonly number[], format: TimeMapping["format"]): boolean =>
  rows.every((cells) => momentOf(cells[column - 1] ?? "", format)?.offsetMs !== null);
