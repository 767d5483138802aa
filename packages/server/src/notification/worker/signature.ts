import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { webhookTimestamp } from "../domain/webhook.js";

/** Standard Webhooks, https://www.standardwebhooks.com. */
export interface SignatureHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

export interface Message {
  readonly id: string;
  readonly timestamp: Date;
  readonly body: string;
}

const PREFIX = "whsec_";
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
const NEW_SECRET_BYTES = 32;
const TOLERANCE_SECONDS = 5 * 60;

export const secretFrom = (bytes: Uint8Array): string => {
  if (!isSecretLength(bytes.length)) throw new RangeError(`a webhook secret cannot have ${bytes.length} bytes`);
  return PREFIX + Buffer.from(bytes).toString("base64");
};

export const randomSecret = (): string => secretFrom(randomBytes(NEW_SECRET_BYTES));

/** One signature per secret, so that receivers can change from one to the next. */
export const signatureHeaders = (message: Message, secrets: readonly string[]): SignatureHeaders => {
  if (secrets.length === 0) throw new RangeError("a webhook request needs a secret; every request is signed (G32)");
  const timestamp = webhookTimestamp(message.timestamp);
  const content = `${message.id}.${timestamp}.${message.body}`;
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => `v1,${hmac(secret, content).toString("base64")}`).join(" "),
  };
};

/** Verifies as a receiver does: one valid signature is enough; old and future timestamps are invalid. */
export const verifySignature = (headers: SignatureHeaders, body: string, secret: string, now: Date): boolean => {
  const timestamp = headers["webhook-timestamp"];
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = hmac(secret, `${headers["webhook-id"]}.${timestamp}.${body}`);
  const given = headers["webhook-signature"].split(" ").filter((part) => part.startsWith("v1,"));
  return given.some((part) => isEqual(Buffer.from(part.slice(3), "base64"), expected));
};

const hmac = (secret: string, content: string): Buffer =>
  createHmac("sha256", secretBytes(secret)).update(content).digest();

/** The secret must never be part of an error, because errors are logged. */
const secretBytes = (secret: string): Buffer => {
  const bytes = Buffer.from(secret.slice(PREFIX.length), "base64");
  const isWhole = secret === PREFIX + bytes.toString("base64");
  if (!isWhole || !isSecretLength(bytes.length)) throw new RangeError("not a webhook secret: whsec_<24 to 64 bytes>");
  return bytes;
};

const isSecretLength = (bytes: number): boolean => bytes >= MIN_SECRET_BYTES && bytes <= MAX_SECRET_BYTES;

const isEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
