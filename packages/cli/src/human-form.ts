import picocolors from "picocolors";

/** How output looks to a person; not used for `json` output. */
export interface Style {
  readonly heading: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly bad: (text: string) => string;
}

export const styleFor = (isColored: boolean): Style => {
  const colors = picocolors.createColors(isColored);
  return {
    heading: colors.bold,
    faint: colors.dim,
    good: colors.green,
    warning: colors.yellow,
    bad: colors.red,
  };
};

type Row = Readonly<Record<string, unknown>>;

/** Rows under aligned headings. */
export const table = (rows: readonly Row[], columns: readonly string[], style: Style): string => {
  const cells = rows.map((row) => columns.map((column) => cell(row[column])));
  const widths = columns.map((column, at) => Math.max(width(column), ...cells.map((line) => width(line[at] ?? ""))));
  const line = (texts: readonly string[]) =>
    texts.map((text, at) => (at === texts.length - 1 ? text : padded(text, widths[at] ?? 0))).join("  ");
  return [style.heading(line(columns)), ...cells.map(line)].map((text) => `${text}\n`).join("");
};

/** A single object: a line per member, lists of objects as tables below, keys and certificates unchanged. */
export const thing = (of: Row, style: Style, columns?: readonly string[]): string => {
  const members = Object.entries(of);
  const lists = members.filter(([, value]) => isTable(value)) as Array<[string, Row[]]>;
  const pems = members.filter(([, value]) => isPem(value)) as Array<[string, string]>;
  const plain = members.filter(([, value]) => !isTable(value) && !isPem(value));
  const widest = Math.max(0, ...plain.map(([name]) => width(name)));
  const lines = plain.map(([name, value]) => `${style.faint(padded(`${name}:`, widest + 1))} ${cell(value)}\n`);
  const tables = lists.map(
    ([name, rows]) => `\n${style.faint(`${name}:`)}\n${table(rows, columns ?? columnsOf(rows), style)}`,
  );
  const blocks = pems.map(([name, text]) => `\n${style.faint(`${name}:`)}\n${text.trim()}\n`);
  return [...lines, ...tables, ...blocks].join("");
};

/** Plain characters and line ends only: nothing that controls the terminal. */
const isPem = (value: unknown): value is string =>
  typeof value === "string" && /^-----BEGIN [\x20-\x7e\n]+$/.test(value);

/** Foreign text, without characters that control the terminal. */
export const harmless = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\u{fffd}");

const isTable = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => isRow(each));

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);

const columnsOf = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

const cell = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) {
    const isTexts = value.length > 0 && value.every((each) => typeof each === "string");
    return isTexts ? harmless(value.join(" ")) : String(value.length);
  }
  if (!isRow(value)) return harmless(typeof value === "string" ? value : JSON.stringify(value));
  if (typeof value["name"] === "string") return `${harmless(value["name"])} (${cell(value["id"])})`;
  return Object.entries(value)
    .map(([name, member]) => `${name} ${cell(member)}`)
    .join(", ");
};

const width = (text: string): number => Array.from(text).length;
const padded = (text: string, to: number): string => text + " ".repeat(Math.max(0, to - width(text)));
