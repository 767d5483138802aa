import { turns } from "../turns.js";
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, LOWER_U, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./ascii.js";
import { HttpError } from "./error-replies.js";

const MAX_DEPTH = 32; // G48
/** Longer than any of our names. */
const MAX_NAME_BYTES = 256;
/** More than any object of ours has. Objects of very many names take ten times as long as lists do. */
const MAX_MEMBERS = 1000;
/** Larger than any reading. */
const MAX_ELEMENT_BYTES = 65_536;
const BATCH_BYTES = 32_768;
const BATCH_ELEMENTS = 300;

/** Consecutive elements of a list, and their place in the bytes. */
export interface Batch {
  readonly start: number;
  readonly end: number;
  readonly count: number;
  /** Index of the first one in the list. */
  readonly first: number;
}

/** A list that is a member of the outermost object, from its opening to its closing bracket. */
export interface FoundList {
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly batches: readonly Batch[];
}

/** The most elements that a list may have, and the error if it has more. */
export interface ListLimit {
  readonly most: number;
  readonly message: string;
}

/** Takes a fraction of a millisecond. */
const SCAN_BYTES = 65_536;

/**
 * Refuses JSON that is nested too deeply, has names that are too long, or too many members or values, before it is parsed:
 * parsing and checking take time for each value. Others have a turn between steps.
 */
export const scanJson = async (bytes: Buffer, mostValues: number): Promise<JsonScan> => {
  const scan = new JsonScan(bytes, null, unlimited, mostValues);
  await scanInTurns(scan);
  return scan;
};

export const scanInTurns = async (scan: JsonScan): Promise<void> => {
  const othersTurn = turns();
  while (scan.advance(SCAN_BYTES)) await othersTurn();
};

const unlimited: ListLimit = { most: Number.POSITIVE_INFINITY, message: "" };

/**
 * Scans the bytes of JSON without creating values. Checks depth and names and finds one list with its elements; parsing
 * the parts then checks that all of it is JSON.
 */
export class JsonScan {
  list: FoundList | null = null;
  /** Whether a text has an escape such as \u0000: searching megabytes for one takes many times as long. */
  hasCodes = false;
  private at = 0;
  private depth = 0;
  private isObject = false;
  private isInText = false;
  private textStart = 0;
  private textEnd = 0;
  private isInList = false;
  private listStart = 0;
  private elementStart = 0;
  private batchStart = 0;
  private inBatch = 0;
  private count = 0;
  private batches: Batch[] = [];
  private values = 0;
  /** Of the open objects, by depth. */
  private readonly members = new Int32Array(MAX_DEPTH + 1);

  constructor(
    private readonly bytes: Buffer,
    private readonly listName: string | null,
    private readonly limit = unlimited,
    private readonly mostValues = Number.POSITIVE_INFINITY,
  ) {}

  /** Advances by a number of bytes; false at the end. */
  advance(count: number): boolean {
    const { bytes } = this;
    const end = Math.min(bytes.length, this.at + count);
    while (this.at < end) {
      if (this.isInText) this.passText(end);
      else this.pass(bytes[this.at++] ?? 0);
    }
    return this.at < bytes.length;
  }

  /** Whether the input ended inside a string or before everything was closed. */
  get isUnfinished(): boolean {
    return this.isInText || this.depth > 0;
  }

  private passText(end: number): void {
    const { bytes } = this;
    let { at } = this;
    while (at < end && bytes[at] !== QUOTE) {
      if (bytes[at] === BACKSLASH) {
        at += 1;
        if (bytes[at] === LOWER_U) this.hasCodes = true;
      }
      at += 1;
    }
    this.isInText = at >= end;
    this.textEnd = at;
    this.at = this.isInText ? at : at + 1;
  }

  private pass(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.isInText = true;
        this.textStart = this.at;
        return;
      case COLON:
        this.passName();
        return;
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.open(byte);
        return;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        this.close(byte);
        return;
      case COMMA:
        this.countValue();
        if (this.isInList && this.depth === LIST_DEPTH) this.endElement(this.at - 1);
        return;
      default:
    }
  }

  private passName(): void {
    if (this.textBytes > MAX_NAME_BYTES) throw nameTooLong;
    const members = (this.members[this.depth] ?? 0) + 1;
    if (members > MAX_MEMBERS) throw tooManyMembers;
    this.members[this.depth] = members;
  }

  private countValue(): void {
    this.values += 1;
    if (this.values > this.mostValues)
      throw new HttpError(400, `the body has more than ${this.mostValues} values; send less at a time`);
  }

  private open(byte: number): void {
    this.countValue();
    if (this.depth === 0) this.isObject = byte === OPEN_OBJECT;
    if (byte === OPEN_LIST && this.depth === LIST_DEPTH - 1 && this.isNamed()) this.openList();
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw tooDeep;
    this.members[this.depth] = 0;
  }

  private isNamed(): boolean {
    const { bytes, listName, textStart, textEnd } = this;
    if (listName === null || !this.isObject || this.textBytes > MAX_NAME_BYTES) return false;
    return nameIn(bytes.toString("utf8", textStart, textEnd)) === listName;
  }

  /** Length of the last string. */
  private get textBytes(): number {
    return this.textEnd - this.textStart;
  }

  private openList(): void {
    if (this.list !== null) throw new HttpError(400, `${this.listName} appears twice; send it once`);
    this.isInList = true;
    this.listStart = this.at;
    this.elementStart = this.at;
    this.batchStart = this.at;
  }

  private close(byte: number): void {
    if (this.isInList && this.depth === LIST_DEPTH) {
      if (byte !== CLOSE_LIST) throw notJson(this.at - 1);
      this.closeList(this.at - 1);
    }
    this.depth -= 1;
    if (this.depth < 0) throw notJson(this.at - 1);
  }

  private closeList(end: number): void {
    const isEmpty = this.count === 0 && isBlank(this.bytes, this.elementStart, end);
    if (!isEmpty) this.endElement(end);
    if (this.inBatch > 0) this.endBatch(end);
    this.list = { start: this.listStart, end, count: this.count, batches: this.batches };
    this.isInList = false;
  }

  private endElement(end: number): void {
    if (end - this.elementStart > MAX_ELEMENT_BYTES) {
      const name = `${this.listName}[${this.count}]`;
      throw new HttpError(400, `${name} has more than ${MAX_ELEMENT_BYTES} bytes; remove unneeded members`);
    }
    this.elementStart = end + 1;
    this.inBatch += 1;
    this.count += 1;
    if (this.count > this.limit.most) throw new HttpError(400, this.limit.message);
    if (this.inBatch >= BATCH_ELEMENTS || end - this.batchStart >= BATCH_BYTES) this.endBatch(end);
  }

  private endBatch(end: number): void {
    this.batches.push({ start: this.batchStart, end, count: this.inBatch, first: this.count - this.inBatch });
    this.batchStart = end + 1;
    this.inBatch = 0;
  }
}

/** Depth inside a list that is a member of the outermost object. */
const LIST_DEPTH = 2;

const isBlank = (bytes: Buffer, start: number, end: number): boolean =>
  end - start <= MAX_ELEMENT_BYTES && bytes.toString("latin1", start, end).trim() === "";

/** Decodes a name, which may contain escapes. */
const nameIn = (text: string): string | null => {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // Not JSON; the parser reports it.
    return null;
  }
};

export const notJson = (position: number): HttpError =>
  new HttpError(400, `the body is not valid JSON at position ${position}`);

const tooDeep = new HttpError(400, `the body has more than ${MAX_DEPTH} levels; nest it as documented`);
const tooManyMembers = new HttpError(400, `an object of the body has more than ${MAX_MEMBERS} members; remove them`);
const nameTooLong = new HttpError(
  400,
  `a member of the body has a name of more than ${MAX_NAME_BYTES} bytes; remove it`,
);
