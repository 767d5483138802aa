/**
 * Labels of a name, from the first to the last: `["_openadr3", "_tcp", "local"]`. A label may have dots. Each of its
 * characters is an octet, because a label of others need not be UTF-8.
 */
export type Name = readonly string[];

export const TYPE = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33, ANY: 255 } as const;

export interface Question {
  readonly name: Name;
  readonly type: number;
  /** The answer may be sent to who asks alone (RFC 6762, 5.4). */
  readonly isUnicast: boolean;
}

/** An answer that the asker has already (RFC 6762, 7.1). */
export interface KnownAnswer {
  readonly name: Name;
  readonly type: number;
  readonly ttlSeconds: number;
  /** Name in the data of a PTR; [] for others. */
  readonly target: Name;
}

export interface Query {
  readonly id: number;
  readonly questions: readonly Question[];
  readonly known: readonly KnownAnswer[];
}

export interface DnsRecord {
  readonly name: Name;
  readonly type: number;
  readonly ttlSeconds: number;
  /** Nobody else has records of this name and type: caches drop theirs (RFC 6762, 10.2). */
  readonly isUnique: boolean;
  readonly data: Buffer;
}

/** The largest message of multicast DNS (RFC 6762, 17). */
const MAX_MESSAGE_BYTES = 9000;
const MAX_ENTRIES = 100;
const MAX_NAME_BYTES = 255;
/** In a name. Programs that compress names use one; a chain of thousands would keep the event loop busy. */
const MAX_POINTERS = 16;
/** In a message: 200 names of ten. Pointers make 300 names of 127 out of 2 kB. */
const MAX_LABELS = 2000;
const HEADER_BYTES = 12;
const RESPONSE = 0x8000;
const AUTHORITATIVE_RESPONSE = 0x8400;
const CLASS_IN = 1;
const CLASS_ANY = 255;
/** Of a question: answer by unicast. Of a record: it is unique. */
const TOP_BIT = 0x8000;
const POINTER = 0xc0;

/** The same for names that differ in the case of ASCII letters alone (RFC 1035, 2.3.3). */
export const keyOf = (name: Name): string => wireOf(name).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Reads a query that anybody may have sent; null: it is an answer, or no message. */
export const readQuery = (bytes: Buffer): Query | null => {
  if (bytes.length < HEADER_BYTES || bytes.length > MAX_MESSAGE_BYTES) return null;
  const [id, flags, questions, answers] = [0, 2, 4, 6].map((at) => bytes.readUInt16BE(at)) as [
    number,
    number,
    number,
    number,
  ];
  if ((flags & RESPONSE) !== 0 || questions > MAX_ENTRIES || answers > MAX_ENTRIES) return null;
  const cursor = new Cursor(bytes);
  try {
    const asked = Array.from({ length: questions }, () => cursor.question());
    const known = Array.from({ length: answers }, () => cursor.answer());
    return { id, questions: asked.filter((each) => each !== null), known };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};

/** Reads the parts of a message in their order. Throws a `RangeError` where it ends too early, or a name is none. */
class Cursor {
  private at = HEADER_BYTES;
  private labels = 0;

  constructor(private readonly bytes: Buffer) {}

  /** null: of another class than the internet's. */
  question(): Question | null {
    const name = this.name();
    const [type, inClass] = [this.number(2), this.number(2)];
    const isInternet = [CLASS_IN, CLASS_ANY].includes(inClass & ~TOP_BIT);
    return isInternet ? { name, type, isUnicast: (inClass & TOP_BIT) !== 0 } : null;
  }

  answer(): KnownAnswer {
    const name = this.name();
    const type = this.number(2);
    this.number(2);
    const ttlSeconds = this.number(4);
    const end = this.number(2) + this.at;
    const target = type === TYPE.PTR ? this.name() : [];
    if (end > this.bytes.length || this.at > end) throw new RangeError("the data of a record is cut");
    this.at = end;
    return { name, type, ttlSeconds, target };
  }

  private number(length: 2 | 4): number {
    const value = this.bytes.readUIntBE(this.at, length);
    this.at += length;
    return value;
  }

  /** Each pointer leads further back than all before it, so that none leads in a circle. */
  private name(): Name {
    const labels: string[] = [];
    let [at, lowest, after, length, pointers] = [this.at, this.at, -1, 0, 0];
    for (let size = this.bytes.readUInt8(at); size !== 0; size = this.bytes.readUInt8(at)) {
      if (size >= POINTER) {
        const to = this.bytes.readUInt16BE(at) & 0x3fff;
        if (to >= lowest) throw new RangeError("a name points forwards");
        if (++pointers > MAX_POINTERS) throw new RangeError("a name has too many pointers");
        if (after < 0) after = at + 2;
        [at, lowest] = [to, to];
        continue;
      }
      length += size + 1;
      if (size > 63 || length > MAX_NAME_BYTES || at + size >= this.bytes.length)
        throw new RangeError("a name is too long, or cut");
      if (++this.labels > MAX_LABELS) throw new RangeError("a message has too many labels");
      labels.push(this.bytes.toString("latin1", at + 1, at + 1 + size));
      at += size + 1;
    }
    this.at = after < 0 ? at + 1 : after;
    return labels;
  }
}

/** To a resolver that is none of multicast DNS: it needs its id and its question back (RFC 6762, 6.7). */
export interface Legacy {
  readonly id: number;
  /** Only those that are answered: the rest of its message is not sent back. */
  readonly questions: readonly Question[];
}

const LEGACY_TTL_SECONDS = 10;

/** Writes an answer, with records that will be asked for next. */
export const writeAnswer = (
  answers: readonly DnsRecord[],
  additional: readonly DnsRecord[],
  legacy: Legacy | null,
): Buffer => {
  const questions = legacy?.questions ?? [];
  const counts = [legacy?.id ?? 0, AUTHORITATIVE_RESPONSE, questions.length, answers.length, 0, additional.length];
  return Buffer.concat([
    ...counts.map(twoBytes),
    ...questions.flatMap(({ name, type }) => [nameBytes(name), twoBytes(type), twoBytes(CLASS_IN)]),
    ...[...answers, ...additional].flatMap((record) => recordBytes(record, legacy !== null)),
  ]);
};

const recordBytes = ({ name, type, ttlSeconds, isUnique, data }: DnsRecord, isLegacy: boolean): Buffer[] => {
  const ttl = Buffer.alloc(4);
  ttl.writeUInt32BE(isLegacy ? Math.min(ttlSeconds, LEGACY_TTL_SECONDS) : ttlSeconds);
  const inClass = isUnique && !isLegacy ? CLASS_IN | TOP_BIT : CLASS_IN;
  return [nameBytes(name), twoBytes(type), twoBytes(inClass), ttl, twoBytes(data.length), data];
};

export const twoBytes = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

export const nameBytes = (name: Name): Buffer => Buffer.from(wireOf(name), "latin1");

const wireOf = (name: Name): string => `${name.map((label) => String.fromCharCode(label.length) + label).join("")}\0`;

/** A text as a label. */
export const labelOf = (text: string): string => Buffer.from(text).toString("latin1");

/** A text of at most 255 bytes, after its length. */
export const textBytes = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
};
