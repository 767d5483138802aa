import { MOST } from "./findings.js";
import { markOf } from "./guess-time-label.js";
import { clockKindOf, type Sample, shareOf, timeKindOf } from "./table-sample.js";
import { hasWord, tokensOf, words } from "./words.js";

/** Columns of times by what their cells are, from 1. */
export interface TimeKinds {
  /** A date and a clock time. */
  readonly times: number[];
  readonly dates: number[];
  readonly clocks: number[];
  readonly ranges: number[];
  readonly clockRanges: number[];
  readonly hours: number[];
}

export const timeKindsOf = (sample: Sample): TimeKinds => {
  const kinds: TimeKinds = { times: [], dates: [], clocks: [], ranges: [], clockRanges: [], hours: [] };
  for (const at of sample.names.keys()) {
    const kind = kindOf(sample, at);
    if (kind !== null) kinds[kind].push(at + 1);
  }
  return kinds;
};

const kindOf = (sample: Sample, at: number): keyof TimeKinds | null => {
  const name = sample.names[at] ?? "";
  const share = (is: (cell: string) => boolean) => shareOf(sample.rows, at, is);
  if (mayBeTime(name, share) && share((cell) => timeKindOf(cell) !== null) >= MOST) {
    if (share((cell) => timeKindOf(cell) === "range") >= MOST) return "ranges";
    return share((cell) => timeKindOf(cell) === "time") > 0 ? "times" : "dates";
  }
  if (share((cell) => clockKindOf(cell) !== null) >= MOST)
    return share((cell) => clockKindOf(cell) === "range") >= MOST ? "clockRanges" : "clocks";
  return isHours(name, share) ? "hours" : null;
};

type Share = (is: (cell: string) => boolean) => number;

/** Numbers without signs are times only under such a name, or none. */
const mayBeTime = (name: string, share: Share): boolean =>
  share((cell) => /^\d+$/.test(cell)) === 0 ||
  name === "" ||
  tokensOf(name).some((word) => words.time.has(word) || /^(unix|epoch|ts|ms|s)$/.test(word)) ||
  markOf(name) !== null;

const isHours = (name: string, share: Share): boolean =>
  hasWord(name, words.hour) &&
  !/[km]?wh?\b/i.test(name) &&
  share((cell) => /^(?:[01]?\d|2[0-5])$|^\d{4}$/.test(cell)) >= MOST;
