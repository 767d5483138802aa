/** The bytes that are read are not what was written. */
export class DamagedBytes extends Error {}

// Bitwise operations are exact below this.
const BITWISE = 0x4000_0000;

/** Appends numbers to bytes: whole ones in as few bytes as their size needs. */
export class ByteWriter {
  private bytes = new Uint8Array(4096);
  private view = new DataView(this.bytes.buffer);
  private at = 0;

  /** A whole number from 0 to 2^53 − 1, seven bits a byte, the lowest first. */
  whole(value: number): void {
    if (this.at + 8 > this.bytes.length) this.grow();
    let rest = value;
    for (; rest >= BITWISE; rest = Math.floor(rest / 128)) this.bytes[this.at++] = (rest % 128) | 128;
    for (; rest > 127; rest >>>= 7) this.bytes[this.at++] = (rest & 127) | 128;
    this.bytes[this.at++] = rest;
  }

  /** A whole number of either sign, of at most 52 bits: 0, −1, 1, −2 … count as 0, 1, 2, 3 … */
  signed(value: number): void {
    this.whole(value < 0 ? -2 * value - 1 : 2 * value);
  }

  double(value: number): void {
    if (this.at + 8 > this.bytes.length) this.grow();
    this.view.setFloat64(this.at, value, true);
    this.at += 8;
  }

  written(): Uint8Array {
    return this.bytes.subarray(0, this.at);
  }

  private grow(): void {
    const grown = new Uint8Array(2 * this.bytes.length);
    grown.set(this.bytes);
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }
}

/** Reads what a `ByteWriter` wrote. */
export class ByteReader {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  whole(): number {
    let byte = this.byte();
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let place = 128; byte > 127; place *= 128) {
      byte = this.byte();
      value += (byte & 127) * place;
    }
    if (!Number.isSafeInteger(value)) throw new DamagedBytes("a number is too large");
    return value;
  }

  signed(): number {
    const value = this.whole();
    if (value < BITWISE) return (value >>> 1) ^ -(value & 1);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  double(): number {
    if (this.at + 8 > this.bytes.length) throw new DamagedBytes("the bytes end too early");
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }

  /** Throws if anything is left. */
  end(): void {
    if (this.at !== this.bytes.length) throw new DamagedBytes(`${this.bytes.length - this.at} bytes are left`);
  }

  private byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new DamagedBytes("the bytes end too early");
    return byte;
  }
}
