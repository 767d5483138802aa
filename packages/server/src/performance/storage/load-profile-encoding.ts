import { createHash } from "node:crypto";
import type { LoadProfile } from "@curtail/measure";
import type { ProfileSource } from "../operations/profile-ports.js";

/** Raise it when profiles are computed or encoded in another way: those of other formats are not found. */
const FORMAT = 1;
const DOUBLE_BYTES = 8;
/** 52 bits, which a number holds exactly. */
const HASH_DIGITS = 13;

/** A number by all that a profile depends on except the readings and the day. */
export const madeFor = ({ timezone, intervalSeconds, meters }: Omit<ProfileSource, "site">): number => {
  const text = JSON.stringify([FORMAT, timezone, intervalSeconds, meters]);
  return Number.parseInt(createHash("sha256").update(text).digest("hex").slice(0, HASH_DIGITS), 16);
};

export const encodeProfile = ({ kw, hasReading }: LoadProfile): Buffer => {
  const bytes = Buffer.alloc(hasReading ? kw.length * DOUBLE_BYTES : 0);
  if (hasReading) for (const [nth, each] of kw.entries()) bytes.writeDoubleLE(each, nth * DOUBLE_BYTES);
  return bytes;
};

const NO_READING: LoadProfile = { kw: new Float64Array(0), hasReading: false };

/** Memory of a text, one after the other. */
let received = Buffer.alloc(0);

export const decodeProfile = (base64: string): LoadProfile => {
  if (base64 === "") return NO_READING;
  if (received.length < base64.length) received = Buffer.alloc(base64.length);
  const count = received.write(base64, "base64") / DOUBLE_BYTES;
  const kw = new Float64Array(count);
  for (let nth = 0; nth < count; nth++) kw[nth] = received.readDoubleLE(nth * DOUBLE_BYTES);
  return { kw, hasReading: true };
};
