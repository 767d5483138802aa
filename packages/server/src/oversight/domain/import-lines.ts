import { quote } from "../../platform/quote.js";
import { isRefusal } from "../../platform/refusal.js";
import { refuseTimezone } from "../../portfolio/domain/program.js";
import { type AssetType, assetTypes, type KwhMeans, keptDegrees } from "../../portfolio/domain/site.js";
import { canonicalTimezone } from "../../portfolio/domain/timezone.js";

/** Columns of a file of accounts, sites and meters; in any order. */
export const importColumns = [
  "account",
  "site",
  "customer_location_id",
  "dispatch_group",
  "timezone",
  "meter",
  "asset_type",
  "program",
  "commitment_kw",
  "kwh_means",
  "latitude",
  "longitude",
] as const;
export type ImportColumn = (typeof importColumns)[number];

const optionalColumns: readonly ImportColumn[] = ["program", "commitment_kw", "kwh_means", "latitude", "longitude"];

/** A parsed table, before any checks. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: ReadonlyArray<{ readonly line: number; readonly cells: readonly string[] }>;
  /** Why it could not be parsed. */
  readonly fault?: ImportFault;
}

/** What is wrong, where, and what to do; without a column if the whole line is meant. */
export interface ImportFault {
  readonly line: number;
  readonly column: string | null;
  readonly message: string;
}

/** One meter with its site. null: not given. */
export interface ImportLine {
  readonly line: number;
  readonly account: string;
  readonly site: string;
  readonly customerLocationId: string | null;
  readonly dispatchGroup: string | null;
  readonly timezone: string | null;
  readonly meter: string;
  readonly assetType: AssetType | null;
  readonly program: string | null;
  readonly commitmentKw: number | null;
  readonly kwhMeans: KwhMeans | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

export interface ReadLines {
  readonly lines: readonly ImportLine[];
  readonly faults: readonly ImportFault[];
}

/** As many rows as a statement writes. They take a second or two on two busy cores, of 15 s until a connection is closed. */
export const MAX_IMPORT_LINES = 2000;
const MAX_CHARACTERS = 200;
const MAX_COMMITMENT_KW = 10_000_000;
const HEADER_LINE = 1;
/** A header with typing errors has fewer faults; for another kind of file, one fault is enough. */
const MAX_HEADER_CELLS = 2 * importColumns.length;

/** Lines of one step. */
const LINES_AT_ONCE = 50;

/** Parses the lines of a table, in steps; returns every fault, and the lines that have none. */
export function* readLines(table: Table): Generator<undefined, ReadLines> {
  if (table.fault !== undefined) return { lines: [], faults: [table.fault] };
  const faults = headerFaults(table.header);
  if (table.rows.length === 0 && faults.length === 0)
    faults.push(inHeader(null, "there are no lines below the header; add one line per meter"));
  if (table.rows.length > MAX_IMPORT_LINES)
    faults.push(
      inHeader(null, `the file has more than ${MAX_IMPORT_LINES} lines below the header; split it into several files`),
    );
  if (faults.length > 0) return { lines: [], faults };
  const lines: ImportLine[] = [];
  for (const [index, { line, cells }] of table.rows.entries()) {
    const found = lineOf({ header: table.header, line, cells });
    if ("faults" in found) faults.push(...found.faults);
    else lines.push(found.read);
    if (index % LINES_AT_ONCE === 0) yield;
  }
  return { lines, faults };
}

const inHeader = (column: string | null, message: string): ImportFault => ({ line: HEADER_LINE, column, message });

const headerFaults = (header: readonly string[]): ImportFault[] => {
  if (header.length > MAX_HEADER_CELLS)
    return [
      inHeader(null, `the header has ${header.length} cells; it must name each of ${importColumns.join(", ")} once`),
    ];
  const missing = importColumns.filter((each) => !header.includes(each) && !optionalColumns.includes(each));
  return [
    ...header
      .filter((name) => !importColumns.some((each) => each === name))
      .map((name) =>
        inHeader(quote(name), `unknown column; remove it or rename it to one of ${importColumns.join(", ")}`),
      ),
    ...header
      .filter((name, at) => header.indexOf(name) !== at)
      .map((name) => inHeader(quote(name), "this column appears twice; remove one")),
    ...missing.map((name) => inHeader(name, "this column is missing; add it to the header (its cells may be empty)")),
  ];
};

interface RawLine {
  readonly header: readonly string[];
  readonly line: number;
  readonly cells: readonly string[];
}

const lineOf = ({ header, line, cells }: RawLine): { read: ImportLine } | { faults: ImportFault[] } => {
  if (cells.length !== header.length) {
    const message = `the line has ${cells.length} cells and the header ${header.length}; quote cells that contain a separator`;
    return { faults: [{ line, column: null, message }] };
  }
  const faults: ImportFault[] = [];
  const raw = (column: ImportColumn): string => cells[header.indexOf(column)] ?? "";
  const wrong = (column: ImportColumn, message: string): null => {
    faults.push({ line, column, message });
    return null;
  };
  const text = (column: ImportColumn): string | null => {
    const fault = textFault(raw(column));
    return fault === null ? raw(column) || null : wrong(column, fault);
  };
  const name = (column: ImportColumn): string =>
    (raw(column) === "" ? wrong(column, `is empty; name the ${column}`) : text(column)) ?? "";
  const read = {
    line,
    account: name("account"),
    site: name("site"),
    customerLocationId: text("customer_location_id"),
    dispatchGroup: text("dispatch_group"),
    timezone: checked(raw("timezone"), timezoneOf, (message) => wrong("timezone", message)),
    meter: name("meter"),
    assetType: checked(raw("asset_type"), assetTypeOf, (message) => wrong("asset_type", message)),
    program: text("program"),
    commitmentKw: checked(raw("commitment_kw"), commitmentOf, (message) => wrong("commitment_kw", message)),
    kwhMeans: checked(raw("kwh_means"), kwhMeansOf, (message) => wrong("kwh_means", message)),
    latitude: checked(raw("latitude"), degreesUpTo(90, "41.878114"), (message) => wrong("latitude", message)),
    longitude: checked(raw("longitude"), degreesUpTo(180, "-87.629798"), (message) => wrong("longitude", message)),
  };
  if (read.program === null && raw("commitment_kw") !== "" && raw("program") === "")
    wrong("program", "is empty, but commitment_kw is set; name the program of the commitment");
  for (const [one, other] of [
    ["latitude", "longitude"],
    ["longitude", "latitude"],
  ] as const)
    if (raw(one) === "" && raw(other) !== "") wrong(one, `is empty, but ${other} is set; give both, or neither`);
  return faults.length === 0 ? { read } : { faults };
};

const textFault = (text: string): string | null => {
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return "contains a control character; remove it";
  return text.length > MAX_CHARACTERS ? `is longer than ${MAX_CHARACTERS} characters; shorten it` : null;
};

type Parsed<T> = { readonly value: T } | { readonly fault: string };

/** An empty cell means not given. */
const checked = <T>(cell: string, parse: (cell: string) => Parsed<T>, wrong: (fault: string) => null): T | null => {
  if (cell === "") return null;
  const parsed = parse(cell);
  return "fault" in parsed ? wrong(parsed.fault) : parsed.value;
};

const shown = (cell: string): string => `"${quote(cell)}"`;

const timezoneOf = (cell: string): Parsed<string> =>
  isRefusal(refuseTimezone(cell))
    ? { fault: `is ${shown(cell)}; give an IANA time zone name such as America/Chicago` }
    : { value: canonicalTimezone(cell) };

const assetTypeOf = (cell: string): Parsed<AssetType> => {
  const found = assetTypes.find((each) => each === cell);
  return found === undefined ? { fault: `is ${shown(cell)}; give one of ${assetTypes.join(", ")}` } : { value: found };
};

const kwhMeansOf = (cell: string): Parsed<KwhMeans> =>
  cell === "energy" || cell === "charge"
    ? { value: cell }
    : { fault: `is ${shown(cell)}; give energy, or charge for a battery` };

const degreesUpTo =
  (most: number, example: string) =>
  (cell: string): Parsed<number> =>
    /^[+-]?\d{1,3}(\.\d{1,20})?$/.test(cell) && Math.abs(Number(cell)) <= most
      ? { value: keptDegrees(Number(cell)) }
      : { fault: `is ${shown(cell)}; give degrees from -${most} to ${most}, such as ${example}` };

const commitmentOf = (cell: string): Parsed<number> => {
  const isNumber = /^\d{1,8}(\.\d{1,9})?$/.test(cell);
  return isNumber && Number(cell) <= MAX_COMMITMENT_KW
    ? { value: Number(cell) }
    : { fault: `is ${shown(cell)}; give kW from 0 to ${MAX_COMMITMENT_KW}, such as 120 or 12.5` };
};
