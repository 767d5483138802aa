import { CsvReader } from "./csv.js";
import { FaultList, quoted, Unreadable } from "./fault-list.js";
import type { FormatReader, FormatResult } from "./format-reader.js";
import { GreenButtonReader } from "./green-button.js";
import { IntervalBudget, lengthFault } from "./interval-columns.js";
import type { Format, MeterData, ReadOptions } from "./meter-data.js";
import { MARKET_OFFSET_MS, Nem12Reader } from "./nem12.js";
import { offsetMsOf, zoneOf } from "./zone.js";

/** Reads a file that arrives in pieces. It never throws because of the file: what is wrong is in `faults`. */
export class MeterDataReader {
  private readonly faults = new FaultList();
  private readonly budget = new IntervalBudget();
  private decoder: InstanceType<typeof TextDecoder> | null = null;
  private start = "";
  private blankLines = 0;
  private reader: FormatReader | null = null;
  private format: Format;
  private isBroken = false;

  constructor(private readonly options: ReadOptions = {}) {
    this.format = options.format ?? "csv";
  }

  add(bytes: Uint8Array): void {
    this.attempt(() => {
      if (this.decoder === null) refuseWorkbook(bytes);
      this.decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      this.addText(this.decoded(bytes, true));
    });
  }

  /** After the last piece; yields between steps, so that the caller can pause. */
  *finish(): Generator<undefined, MeterData> {
    this.attempt(() => this.addText(this.decoded(new Uint8Array(), false)));
    const found = this.isBroken ? nothing : yield* this.finished();
    if (found.series.length === 0 && this.faults.count === 0) this.faults.add(1, emptiness(found));
    return {
      format: this.format,
      table: null,
      ...found,
      faults: this.faults.byLine(),
      faultCount: this.faults.count,
    };
  }

  private *finished(): Generator<undefined, FormatResult> {
    if (this.reader === null) return nothing;
    try {
      return yield* this.reader.finish();
    } catch (error) {
      this.fail(error);
      return nothing;
    }
  }

  private decoded(bytes: Uint8Array, stream: boolean): string {
    try {
      return this.decoder?.decode(bytes, { stream }) ?? "";
    } catch {
      const [before = ""] = new TextDecoder().decode(bytes).split("\ufffd", 1);
      const line = (this.reader?.line ?? 0) + before.split("\n").length;
      throw new Unreadable(line, "the file is not UTF-8 text; save it as UTF-8");
    }
  }

  private addText(text: string): void {
    if (this.reader === null) {
      const begun = this.start + text;
      this.start = begun.trimStart();
      // Faults name lines of the file: blank ones at its beginning count.
      this.blankLines += countLines(begun.slice(0, begun.length - this.start.length));
      // Four characters distinguish a NEM12 record from the header of a CSV file.
      if (this.start.length < 5 && text !== "") return;
      if (this.start === "") return;
      this.format = this.options.format ?? formatOf(this.start);
      this.reader = readerOf(this.format, this.options, this.budget, this.faults);
      if (this.format !== "green_button") this.reader.add("\n".repeat(Math.min(this.blankLines, MAX_BLANK_LINES)));
      this.reader.add(this.start);
      this.start = "";
    } else if (text !== "") this.reader.add(text);
  }

  private attempt(step: () => void): void {
    if (this.isBroken) return;
    try {
      step();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    if (!(error instanceof Unreadable)) throw error;
    this.isBroken = true;
    this.faults.addLast(error.line, error.message);
  }
}

const MAX_BLANK_LINES = 1000;
const countLines = (text: string): number => text.split("\n").length - 1;

const nothing: FormatResult = { series: [], leftOut: [], notes: [] };

const emptiness = ({ leftOut: [first] }: FormatResult): string =>
  first === undefined
    ? "the file has no intervals"
    : `the file has no load or export: ${quoted(first.name)} is left out because ${first.reason}`;

/** Workbooks of Excel begin as zip files do, or as older documents of Office. */
const refuseWorkbook = ([a, b, c, d]: Uint8Array): void => {
  if (a === 0x50 && b === 0x4b && (c === undefined || c < 9))
    throw new Unreadable(
      1,
      "the file is a workbook (XLSX) or a zip file; open it, save the sheet as CSV (UTF-8), and import that",
    );
  if (a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0)
    throw new Unreadable(1, "the file is a workbook (XLS); open it, save the sheet as CSV (UTF-8), and import that");
};

const encodingOf = ([first, second]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
};

const formatOf = (start: string): Format => {
  if (start.startsWith("<")) return "green_button";
  return /^"?(?:[1-9]00|250)"?,/.test(start) ? "nem12" : "csv";
};

const readerOf = (format: Format, options: ReadOptions, budget: IntervalBudget, faults: FaultList): FormatReader => {
  switch (format) {
    case "green_button":
      return new GreenButtonReader(budget, faults);
    case "nem12":
      return new Nem12Reader(budget, faults, marketOffset(options));
    case "csv":
      return new CsvReader(budget, faults, csvOptions(options));
  }
};

const marketOffset = ({ timezone }: ReadOptions): number => {
  const offsetMs = timezone === undefined ? MARKET_OFFSET_MS : offsetMsOf(timezone);
  if (offsetMs === null)
    throw new Unreadable(
      1,
      `NEM12 has no daylight saving time; state an offset such as +10:00 instead of ${quoted(timezone ?? "")}`,
    );
  return offsetMs;
};

const csvOptions = ({ timezone, intervalSeconds, mapping = {}, profile, kept = [] }: ReadOptions) => {
  const zone = timezone === undefined ? null : zoneOf(timezone);
  if (timezone !== undefined && zone === null)
    throw new Unreadable(
      1,
      `the time zone ${quoted(timezone)} is unknown; give an IANA name or an offset such as +08:00`,
    );
  const fault = intervalSeconds === undefined ? null : lengthFault(intervalSeconds);
  if (fault !== null) throw new Unreadable(1, fault);
  const statement = { timezone: timezone ?? null, mapping, profile: profile ?? null, kept };
  return { zone, intervalSeconds: intervalSeconds ?? null, statement };
};
