import type { NoticeEvent } from "../../dispatch/domain/notice.js";
import type { AddressPolicy, Attempt, SentAttempt } from "../../platform/attempt.js";
import { invalid, type Refusal, type Result } from "../../platform/refusal.js";
import { webAddressOf } from "../../platform/web-address.js";

export type WebhookEventName = NoticeEvent;

/** Addresses that test requests of the public sandbox key may reach, regardless of other settings (G49). */
export const publicAddresses: AddressPolicy = { allowedNetworks: [], allowLoopback: false, allowHttp: false };
/** Per address, and per caller (G35). */
export const MAX_PUBLIC_TESTS_A_MINUTE = 10;

/** G32; for all workers together. */
export const MAX_IN_FLIGHT_PER_WEBHOOK = 4;
/** As in the contract. */
const MAX_WEBHOOK_URL_LENGTH = 2048;

/**
 * Checks only the text of a URL. Whether its host may be reached, and over http, is decided by the address guard once
 * the host is resolved.
 *
 * @param member of the request, for refusals
 */
export const checkWebhookUrl = (text: string, policy: AddressPolicy, member = "url"): Result<URL> => {
  if (text.length > MAX_WEBHOOK_URL_LENGTH) {
    return invalid(`${member} has ${text.length} characters; the most allowed is ${MAX_WEBHOOK_URL_LENGTH}`);
  }
  const url = webAddressOf(text);
  if (url === null)
    return invalid(`${member} must be a complete address without white space, such as https://example.com/hooks`);
  return refuseParts(url, policy, member) ?? url;
};

const refuseParts = (url: URL, policy: AddressPolicy, member: string): Refusal | null => {
  if (url.protocol !== "https:" && url.protocol !== "http:") return invalid(`${member} must begin with https://`);
  if (url.username !== "" || url.password !== "") {
    return invalid(
      `${member} must not contain a user or password${member === "url" ? "; requests are signed instead" : ""}`,
    );
  }
  if (url.protocol === "http:" && !couldUseHttp(policy)) return invalid(`${member} must begin with https://`);
  return null;
};

const couldUseHttp = (policy: AddressPolicy): boolean =>
  policy.allowHttp || policy.allowLoopback || policy.allowedNetworks.length > 0;

/** The thin event: exactly these members (G29). */
export const thinEvent = (name: string, resource: string): string => JSON.stringify({ event: { name }, resource });

/** Since this version ids are texts; in those before, dispatches have numbers. */
const TEXTS_SINCE = "2022-04-15";

export const hasNumbers = (interfaceVersion: string): boolean => interfaceVersion < TEXTS_SINCE;

/**
 * The path of a dispatch in a version of the interface.
 *
 * @param dispatch its id in that version
 */
export const resourceOf = (interfaceVersion: string, dispatch: string | number): string =>
  `/${interfaceVersion}/dispatches/${dispatch}`;

/** The header `webhook-timestamp`: whole seconds since 1970. */
export const webhookTimestamp = (at: Date): string => String(Math.floor(at.getTime() / 1000));

/** The error of an attempt that sent nothing, since every request is signed (G32). */
const SECRET_UNREADABLE = "secret_unreadable";

/** An attempt that sent nothing, since the secret that it needs cannot be decrypted. */
export const unreadable = (at: Date): SentAttempt => ({
  at,
  ok: false,
  status: null,
  durationMs: 0,
  address: null,
  error: SECRET_UNREADABLE,
});

export const wasSigned = ({ error }: Pick<Attempt, "error">): boolean => error !== SECRET_UNREADABLE;
