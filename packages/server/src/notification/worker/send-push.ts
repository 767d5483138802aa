import { createHash } from "node:crypto";
import webPush from "web-push";
import type { AttemptOutcome } from "../../platform/outbound/post-attempt.js";
import { attemptPost } from "../../platform/outbound/post-attempt.js";
import type { WebhookClient } from "../../platform/outbound/webhook-client.js";
import type { PushTarget } from "../domain/push-subscription.js";

const ENCODING = "aes128gcm";
/** Push services refuse more. */
const MAX_BODY_BYTES = 4096;
/** A signed authorization is valid for twelve hours; RFC 8292 asks to reuse it. */
const REUSED_MS = 3_600_000;
const MAX_SERVICES = 1000;

export interface PushMessage {
  /** Encrypted for the browser; nobody on the way can read it. */
  readonly body: string;
  /** How long the push service keeps it for a browser that is offline. */
  readonly ttlSeconds: number;
  readonly urgency: "high" | "normal";
  /** A later message of the same topic replaces one that the browser did not get yet. */
  readonly topic: string;
}

/** Who sends: the key pair that browsers subscribed with, and where push services may write to. */
export interface PushSender {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly contact: string;
}

export type SendPush = (target: PushTarget, message: PushMessage) => Promise<AttemptOutcome>;

/** At most 32 characters of base64url. */
export const topicOf = (subject: string): string =>
  createHash("sha256").update(subject).digest("base64url").slice(0, 32);

/** Whether a message can be encrypted for the browser: its key is a point of the curve. */
export const fitsKeys = ({ p256dh, auth }: PushTarget): boolean => {
  try {
    webPush.encrypt(p256dh, auth, "", ENCODING);
    return true;
  } catch {
    return false;
  }
};

/** Sends a message to a browser's push service (RFC 8030, 8291 and 8292). */
export const pushSender = (client: WebhookClient, sender: () => Promise<PushSender>): SendPush => {
  const authorizations = new Authorizations();
  return async ({ endpoint, p256dh, auth }, { body, ttlSeconds, urgency, topic }) => {
    const url = new URL(endpoint);
    const { cipherText } = webPush.encrypt(p256dh, auth, body, ENCODING);
    if (cipherText.length > MAX_BODY_BYTES) throw new Error(`a push message has ${cipherText.length} bytes`);
    const headers = {
      authorization: authorizations.of(url.origin, await sender()),
      "content-encoding": ENCODING,
      "content-type": "application/octet-stream",
      ttl: String(ttlSeconds),
      urgency,
      topic,
    };
    return attemptPost({ url, headers, body: cipherText }, { client });
  };
};

/** Signed authorizations by push service; signing takes as long as encrypting. */
class Authorizations {
  private readonly signed = new Map<string, { readonly value: string; readonly untilMs: number }>();

  of(origin: string, { publicKey, privateKey, contact }: PushSender): string {
    const known = this.signed.get(origin);
    if (known !== undefined && performance.now() < known.untilMs) return known.value;
    const { Authorization: value } = webPush.getVapidHeaders(origin, contact, publicKey, privateKey, ENCODING);
    if (this.signed.size >= MAX_SERVICES) this.signed.clear();
    this.signed.set(origin, { value, untilMs: performance.now() + REUSED_MS });
    return value;
  }
}
