import { INTERVAL_STEP_SECONDS, MAX_INTERVAL_SECONDS, MAX_NUMBER } from "@curtail/contract";
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  POINT,
  Z,
  ZERO,
} from "../../platform/http/ascii.js";
import type { Edge } from "../../platform/http/dated-edge.js";
import { DAY_MS } from "../../platform/period.js";
import { parseTimestamp } from "../../platform/timestamp.js";
import { turns } from "../../platform/turns.js";
import { MAX_POWER_KW, powerOfEnergy, ReadingColumns, type ReadingSource, type Readings } from "../domain/reading.js";
import { JsonBytes, notPlain } from "./json-bytes.js";
import { type SourceList, SourceLists } from "./source-lists.js";

/** Takes a quarter of a millisecond. */
const READINGS_A_STEP = 500;

// The shortest possible reading has 78, so the columns are long enough from the start.
const FEWEST_BYTES = 70;

const KW = Buffer.from("kW");
const KWH = Buffer.from("kWh");

/** Members of a reading, as bits: each may occur once. */
const INTERVAL = 1;
const TIMESTAMP = 2;
const METER = 4;
const SITE = 8;
const POWER = 16;
const VALUE = 32;
const UNITS = 64;
const members = [
  [INTERVAL, "interval_seconds"],
  [TIMESTAMP, "timestamp"],
  [METER, "meter_id"],
  [SITE, "site_id"],
  [POWER, "kW"],
  [VALUE, "value"],
  [UNITS, "units"],
] as const;

/** How a version of the interface writes an upload. */
interface Form {
  readonly list: Buffer;
  readonly members: ReadonlyArray<{ readonly bit: number; readonly name: Buffer }>;
  /** Whether ids are numbers. */
  readonly hasNumbers: boolean;
}

/** How the version of an edge writes names and ids. */
type Naming = Pick<Edge, "idsTaken" | "isCurrent" | "nameOf">;

const formOf = ({ nameOf, isCurrent }: Naming): Form => ({
  list: Buffer.from(nameOf("telemetry")),
  members: members.map(([bit, name]) => ({ bit, name: Buffer.from(nameOf(name)) })),
  hasNumbers: !isCurrent,
});

/** Shape A or shape B, for a meter or for a site. */
const shapes = new Set(
  [METER, SITE].flatMap((source) => [POWER, VALUE | UNITS].map((power) => INTERVAL | TIMESTAMP | source | power)),
);

/**
 * Reads uploads of a version. null for one that is not plain JSON or breaks the contract: the usual parser and
 * validation then report the fault.
 */
export const plainReader = (edge: Naming): ((body: Buffer) => Promise<Readings | null>) => {
  const form = formOf(edge);
  const lists = new SourceLists();
  return async (body) => {
    const readings = await read(body, form, lists);
    if (readings === null || edge.isCurrent) return readings;
    const ids = await edge.idsTaken(readings.sources.map(({ kind: of, id }) => ({ of, id })));
    return { ...readings, sources: readings.sources.map((source, at) => ({ ...source, id: ids[at] ?? "" })) };
  };
};

const read = async (body: Buffer, form: Form, lists: SourceLists): Promise<Readings | null> => {
  const othersTurn = turns();
  try {
    const reader = new UploadReader(body, form, lists);
    while (reader.readSome(READINGS_A_STEP)) await othersTurn();
    return reader.end();
  } catch (error) {
    if (error === notPlain) return null;
    throw error;
  }
};

class UploadReader {
  private readonly json: JsonBytes;
  private readonly columns: ReadingColumns;
  private readonly isEmpty: boolean;
  private intervalSeconds = 0;
  private endMs = 0;
  private power = 0;
  private isEnergy = false;
  private source = -1;
  /** What an upload before named; this one named the first of them so far, up to `source`. */
  private list: SourceList | null = null;
  /** How often a reading named another source than the one before. */
  private changes = 0;
  // Most readings have the meter and day of the previous one: the offsets of its id and date in the bytes.
  private idStart = 0;
  private idEnd = 0;
  private idBit = 0;
  private idNumber = 0;
  private dateStart = -1;
  private dayMs = 0;

  constructor(
    body: Buffer,
    private readonly form: Form,
    private readonly lists: SourceLists,
  ) {
    this.json = new JsonBytes(body);
    this.columns = new ReadingColumns(Math.ceil(body.length / FEWEST_BYTES));
    const { json } = this;
    json.expect(OPEN_OBJECT);
    json.readText();
    if (!json.textIs(form.list)) throw notPlain;
    json.expect(COLON);
    json.expect(OPEN_LIST);
    this.isEmpty = json.isNext(CLOSE_LIST);
  }

  /** Reads up to this many readings; false after the last. */
  readSome(most: number): boolean {
    const { json } = this;
    if (this.isEmpty) return false;
    for (let read = 0; read < most; read++) {
      this.readReading();
      if (!json.accept(COMMA)) return false;
    }
    return true;
  }

  end(): Readings {
    const { json } = this;
    json.expect(CLOSE_LIST);
    json.expect(CLOSE_OBJECT);
    json.expectEnd();
    if (this.list !== null) return this.columns.filled(namedOf(this.list, this.source + 1));
    const readings = this.columns.filled();
    if (this.changes === readings.sources.length && !this.form.hasNumbers) this.lists.keep(readings.sources);
    return readings;
  }

  private readReading(): void {
    const { json } = this;
    json.expect(OPEN_OBJECT);
    let seen = 0;
    do {
      const bit = this.readName();
      if ((seen & bit) !== 0) throw notPlain;
      seen |= bit;
      this.readValue(bit);
    } while (json.accept(COMMA));
    json.expect(CLOSE_OBJECT);
    const isB = (seen & VALUE) !== 0;
    if (!shapes.has(seen) || !(Math.abs(this.power) <= MAX_POWER_KW)) throw notPlain;
    if (isB && this.isEnergy) {
      const powerKw = powerOfEnergy(this.power, this.intervalSeconds);
      this.columns.add(this.endMs, this.intervalSeconds, powerKw, this.source, this.power);
    } else {
      this.columns.add(this.endMs, this.intervalSeconds, this.power, this.source);
    }
  }

  private readName(): number {
    const { json } = this;
    json.readText();
    json.expect(COLON);
    for (const { bit, name } of this.form.members) if (json.textIs(name)) return bit;
    throw notPlain;
  }

  private readValue(bit: number): void {
    switch (bit) {
      case INTERVAL:
        this.intervalSeconds = this.readInterval();
        return;
      case TIMESTAMP:
        this.endMs = this.readTimestamp();
        return;
      case METER:
      case SITE:
        if (this.form.hasNumbers) this.readNumberedSource(bit);
        else this.readSource(bit);
        return;
      case UNITS:
        this.isEnergy = this.readUnits();
        return;
      default:
        this.power = this.json.readNumber();
    }
  }

  private readInterval(): number {
    const seconds = this.json.readNumber();
    const isAllowed = seconds > 0 && seconds <= MAX_INTERVAL_SECONDS && seconds % INTERVAL_STEP_SECONDS === 0;
    if (!isAllowed) throw notPlain;
    return seconds;
  }

  private readUnits(): boolean {
    const { json } = this;
    json.readText();
    if (json.textIs(KW)) return false;
    if (json.textIs(KWH)) return true;
    throw notPlain;
  }

  private readSource(bit: number): void {
    const { json } = this;
    json.readText();
    const length = json.textEnd - json.textStart;
    const isSame =
      bit === this.idBit &&
      length === this.idEnd - this.idStart &&
      json.textBeginsLike(json.bytes, this.idStart, length);
    if (!isSame) this.source = this.nextSource(bit === METER ? "meter" : "site");
    this.idBit = bit;
    this.idStart = json.textStart;
    this.idEnd = json.textEnd;
  }

  private nextSource(kind: ReadingSource["kind"]): number {
    const { json, columns, lists } = this;
    this.changes += 1;
    if (this.changes === 1) this.list = lists.find(kind, json.text);
    if (this.list?.has(this.source + 1, kind, columns.length, json) === true) return this.source + 1;
    if (this.list !== null) columns.beginWith(namedOf(this.list, this.source + 1));
    this.list = null;
    return columns.sourceOf(kind, json.text);
  }

  private readNumberedSource(bit: number): void {
    const number = this.json.readNumber();
    if (!Number.isInteger(number) || number < 1 || number > MAX_NUMBER) throw notPlain;
    if (bit !== this.idBit || number !== this.idNumber)
      this.source = this.columns.sourceOf(bit === METER ? "meter" : "site", String(number));
    this.idBit = bit;
    this.idNumber = number;
  }

  private readTimestamp(): number {
    const { json } = this;
    json.readText();
    const { bytes, textStart, textEnd } = json;
    if (this.dateStart >= 0 && json.textBeginsLike(bytes, this.dateStart, DATE_LENGTH)) {
      const timeMs = timeOfDayMs(bytes, textStart + DATE_LENGTH, textEnd);
      if (!Number.isNaN(timeMs)) return this.dayMs + timeMs;
    }
    const endMs = parseTimestamp(json.text);
    if (!(endMs >= 0)) throw notPlain;
    // With an offset other than Z, the date is not the UTC day.
    this.dateStart = bytes[textEnd - 1] === Z ? textStart : -1;
    this.dayMs = endMs - (endMs % DAY_MS);
    return endMs;
  }
}

const namedOf = ({ sources }: SourceList, count: number): readonly ReadingSource[] =>
  count === sources.length ? sources : sources.slice(0, count);

const DATE_LENGTH = "2026-07-01T".length;

/** Parses `18:00:00Z` or `18:00:00.000Z`; NaN for anything else. */
const timeOfDayMs = (bytes: Uint8Array, at: number, end: number): number => {
  const hour = digits(bytes, at, 2);
  const minute = digits(bytes, at + 3, 2);
  const second = digits(bytes, at + 6, 2);
  const isPunctuated = bytes[at + 2] === COLON && bytes[at + 5] === COLON && bytes[end - 1] === Z;
  if (!(isPunctuated && hour <= 23 && minute <= 59 && second <= 59)) return Number.NaN;
  const wholeMs = ((hour * 60 + minute) * 60 + second) * 1000;
  if (end - at === "18:00:00Z".length) return wholeMs;
  const hasMs = end - at === "18:00:00.000Z".length && bytes[at + 8] === POINT;
  return hasMs ? wholeMs + digits(bytes, at + 9, 3) : Number.NaN;
};

const digits = (bytes: Uint8Array, at: number, count: number): number => {
  let value = 0;
  for (let index = at; index < at + count; index++) {
    const digit = (bytes[index] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
};
