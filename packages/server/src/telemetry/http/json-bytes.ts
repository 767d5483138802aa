import { BACKSLASH, MINUS, NINE, POINT, QUOTE, ZERO } from "../../platform/http/ascii.js";

const FIRST_PRINTABLE = 32;
const FIRST_NON_ASCII = 128;

// An integer with this many digits is exact, and dividing it by a power of ten gives the nearest number.
const EXACT_DIGITS = 15;
const powersOfTen = Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

/** Longest text, number or white space of plain uploads, and longer than any that a reading needs. */
const MOST_BYTES = 512;

/** Thrown if the bytes are not in the plain form read here; the full parser then reports the fault. */
export const notPlain = new Error("not of the plain form");

/**
 * A forward reader for plain JSON bytes: strings of printable ASCII without escapes, and numbers without exponents.
 * Throws `notPlain` for anything else.
 */
export class JsonBytes {
  /** Bounds of the last string, without its quotes. */
  textStart = 0;
  textEnd = 0;
  private at = 0;

  constructor(readonly bytes: Buffer) {}

  expect(byte: number): void {
    if (!this.accept(byte)) throw notPlain;
  }

  /** Skips white space and, if it comes next, this byte. */
  accept(byte: number): boolean {
    if (!this.isNext(byte)) return false;
    this.at += 1;
    return true;
  }

  /** Skips white space. */
  isNext(byte: number): boolean {
    this.skipSpace();
    return this.bytes[this.at] === byte;
  }

  expectEnd(): void {
    this.skipSpace();
    if (this.at !== this.bytes.length) throw notPlain;
  }

  readText(): void {
    this.expect(QUOTE);
    const { bytes } = this;
    let at = this.at;
    const end = at + MOST_BYTES;
    this.textStart = at;
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[++at]) {
      if (at === end || byte === undefined || byte < FIRST_PRINTABLE || byte >= FIRST_NON_ASCII || byte === BACKSLASH)
        throw notPlain;
    }
    this.textEnd = at;
    this.at = at + 1;
  }

  get text(): string {
    return this.bytes.toString("latin1", this.textStart, this.textEnd);
  }

  textIs(other: Uint8Array): boolean {
    return this.textEnd - this.textStart === other.length && this.textBeginsLike(other, 0, other.length);
  }

  /** Whether the string begins with the same bytes as `other` at an offset. */
  textBeginsLike(other: Uint8Array, from: number, length: number): boolean {
    const { bytes, textStart } = this;
    for (let index = 0; index < length; index++) if (bytes[textStart + index] !== other[from + index]) return false;
    return true;
  }

  /** Reads a number; the result equals that of `JSON.parse`. */
  readNumber(): number {
    this.skipSpace();
    const start = this.at;
    const isNegative = this.bytes[start] === MINUS;
    if (isNegative) this.at += 1;
    const wholeStart = this.at;
    let size = this.digits(0);
    let count = this.at - wholeStart;
    if (count === 0 || (count > 1 && this.bytes[wholeStart] === ZERO)) throw notPlain;
    if (this.bytes[this.at] === POINT) {
      const fractionStart = ++this.at;
      size = this.digits(size);
      const decimals = this.at - fractionStart;
      if (decimals === 0) throw notPlain;
      count += decimals;
      size /= powersOfTen[decimals] ?? Number.NaN;
    }
    if (this.isExponent()) throw notPlain;
    if (count > EXACT_DIGITS) return Number(this.bytes.toString("latin1", start, this.at));
    return isNegative ? -size : size;
  }

  private digits(before: number): number {
    const { bytes } = this;
    let value = before;
    let at = this.at;
    const end = at + MOST_BYTES;
    for (let byte = bytes[at]; byte !== undefined && byte >= ZERO && byte <= NINE; byte = bytes[++at]) {
      if (at === end) throw notPlain;
      value = value * 10 + (byte - ZERO);
    }
    this.at = at;
    return value;
  }

  private isExponent(): boolean {
    const byte = this.bytes[this.at];
    return byte === 69 /* E */ || byte === 101 /* e */;
  }

  private skipSpace(): void {
    const { bytes } = this;
    const end = this.at + MOST_BYTES;
    while (bytes[this.at] === 32 || bytes[this.at] === 10 || bytes[this.at] === 13 || bytes[this.at] === 9) {
      if (this.at === end) throw notPlain;
      this.at += 1;
    }
  }
}
