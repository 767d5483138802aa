import type { AddressPolicy } from "../../platform/attempt.js";
import { invalid, type Refusal, type Result } from "../../platform/refusal.js";
import { webAddressOf } from "../../platform/web-address.js";

/** Where a browser takes push messages, and the keys that only it can decrypt them with (RFC 8291). */
export interface PushTarget {
  readonly endpoint: string;
  /** The browser's public key: base64url of 65 bytes. */
  readonly p256dh: string;
  /** The shared secret: base64url of 16 bytes. */
  readonly auth: string;
}

/** A browser that takes push messages for a person. */
export interface PushSubscription {
  readonly id: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastSuccessAt: Date | null;
  /** Of the last attempt; null if it succeeded or there was none. */
  readonly lastError: string | null;
}

export const MAX_PUSH_SUBSCRIPTIONS = 20;

/** The browser discarded the subscription; it will never work again. */
export const isGone = ({ status }: { readonly status: number | null }): boolean => status === 404 || status === 410;

/** Checks the text only; the address guard checks the host when it is dialled. Http is for loopback (G33). */
export const checkPushEndpoint = (text: string, { allowLoopback }: AddressPolicy): Result<URL> => {
  const url = webAddressOf(text);
  if (url === null) return notAnAddress;
  const isAllowed = url.protocol === "https:" || (url.protocol === "http:" && allowLoopback);
  if (!isAllowed || url.username !== "" || url.password !== "") return notAnAddress;
  return url;
};

const notAnAddress: Refusal = invalid("endpoint must be the https address that the browser returned");

/** Push services are addressed as webhooks are, but never over http to the outside. */
export const pushPolicy = (policy: AddressPolicy): AddressPolicy => ({ ...policy, allowHttp: false });
