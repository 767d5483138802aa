import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";

type Mapping = operator.MeterDataMapping;
type Value = Mapping["values"][number];

/** Formats of meter data, by their names. */
export const dataFormats: Readonly<Record<operator.MeterDataResult["format"], string>> = {
  green_button: "Green Button",
  nem12: "NEM12",
  csv: "CSV",
};

/** What a line is. */
export const layoutWords: Readonly<Record<Mapping["layout"], string>> = {
  matrix: say("a day", {}, "a line is"),
  rows: say("an interval", {}, "a line is"),
};

/** What times mark. */
export const labelWords: Readonly<Record<Mapping["time"]["label"], string>> = {
  start: say("the start of intervals"),
  end: say("the end of intervals"),
};

export const midnightWords: Readonly<Record<Mapping["time"]["midnight"], string>> = {
  begins_day: say("00:00 begins its day"),
  ends_day: say("00:00 ends its day"),
};

/** What the columns of a day follow when the clocks change. */
export const clockWords: Readonly<Record<NonNullable<NonNullable<Mapping["matrix"]>["clock"]>, string>> = {
  local: say("clock times", {}, "columns of a day"),
  elapsed: say("elapsed intervals", {}, "columns of a day"),
};

export const signWords: Readonly<Record<Value["sign"], string>> = {
  load: say("load", {}, "sign of values"),
  export: say("export", {}, "production of energy"),
  by_name: say("by the series’ name"),
};

export const decimalWords: Readonly<Record<Mapping["decimal"], string>> = {
  ".": say("point: {example}", { example: "1.5" }),
  ",": say("comma: {example}", { example: "1,5" }),
};

/** Characters that nobody would see. */
export const characterWords: Readonly<Record<string, string>> = {
  "\t": say("tab", {}, "character"),
  " ": say("space", {}, "character"),
};
