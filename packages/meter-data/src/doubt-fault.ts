import type { Guess } from "./guess.js";
import { statedValue } from "./guess-values.js";
import type { Doubt } from "./mapping.js";

type Asking = Pick<Guess, "mapping" | "stated" | "isDocumented">;

/** Columns that an answer lists: with more, it says that the others are to be listed. */
const MOST_LISTED = 12;

/** The fault that a doubt is until a mapping answers it. */
export const doubtFault = (doubt: Doubt, table: Asking): string => {
  const answers = doubt.choices
    .slice(0, 6)
    .map(({ value, meaning }) => `${JSON.stringify(answer(doubt, value, table))} (${meaning})`);
  if (answers.length === 0) return doubt.question;
  const others = isOfSeveral(doubt, table) && table.mapping.values.length > MOST_LISTED;
  const rest = others ? ', next to an element such as {"column":2} for each other column of values' : "";
  return `${doubt.question} State it with mapping ${answers.join(" or ")}${rest}`;
};

const isOfSeveral = ({ column }: Doubt, { mapping }: Asking): boolean =>
  column !== undefined && mapping.values.length > 1;

/** How a mapping answers a doubt: `time.format` is `{"time":{"format":…}}`. */
const answer = (doubt: Doubt, value: unknown, table: Asking): object => {
  const { member, column } = doubt;
  const [first = "", second] = member.split(/\[\]\.|\./);
  const inner = second === undefined ? value : { [second]: value };
  if (isOfSeveral(doubt, table) && second !== undefined)
    return { ...header(table), values: columns(column, { [second]: value }, table) };
  return { [first]: member.includes("[]") || member === "meter_columns" ? [inner] : inner };
};

/** All of them, as far as they are listed: if others are stated, a column that is not stated is not read. */
const columns = (column: number | undefined, said: object, { mapping: { values }, stated }: Asking): object[] =>
  values
    .filter((each) => each.column === column || values.length <= MOST_LISTED)
    .map((each) => ({
      column: each.column,
      ...statedValue(stated, each),
      ...(each.column === column ? said : {}),
    }));

/** Stating the columns of Curtail's own files hides what their header says. */
const header = ({ mapping, isDocumented }: Asking): object => {
  const { time, seconds_column, coverage_column } = mapping;
  return isDocumented
    ? {
        time: { label: time.label },
        ...(seconds_column === null ? {} : { seconds_column }),
        ...(coverage_column === null ? {} : { coverage_column }),
      }
    : {};
};
