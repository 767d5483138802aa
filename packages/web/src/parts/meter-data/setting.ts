import { say } from "@curtail/words/page";
import type { ColumnReading, Stated } from "../../rules/table-reading.js";
import type { Choice } from "../../ui/field.js";

/** A part of how a table is read, which can be stated. */
export interface Setting {
  readonly reading: ColumnReading;
  readonly stated: Stated;
  readonly onState: (stated: Stated) => void;
}

/** An open question's answer is not chosen yet. */
export const OPEN = { value: "", label: say("not known") };
export const choicesOf = <V extends string>(words: Readonly<Record<V, string>>): readonly Choice[] =>
  Object.entries<string>(words).map(([value, label]) => ({ value, label }));
