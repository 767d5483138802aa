import { invalid, type Refusal, type Result } from "./refusal.js";

export type WebhookEventName = "dispatch.create" | "dispatch.update";

/** Where webhooks may lead besides public addresses over https (G33). */
export interface AddressPolicy {
  /** CIDRs that the operator opened, private ones too. */
  readonly allowedNetworks: readonly string[];
  /** Only where the service itself is on loopback. */
  readonly allowLoopback: boolean;
  readonly allowHttp: boolean;
}

/** What the public sandbox key's test requests may reach, whatever else is allowed (G49). */
export const publicAddresses: AddressPolicy = { allowedNetworks: [], allowLoopback: false, allowHttp: false };
/** At one address, and from one caller (G35). */
export const MAX_PUBLIC_TESTS_A_MINUTE = 10;

/** One attempt over all its redirects (G30). */
export const ATTEMPT_MS = 10_000;
export const MAX_REDIRECTS = 3;
/** G32; of all workers together. */
export const MAX_IN_FLIGHT_PER_WEBHOOK = 4;
export const MAX_RESPONSE_BYTES = 64 * 1024;
export const KEPT_RESPONSE_BYTES = 1024;
/** As the contract has it. */
const MAX_WEBHOOK_URL_LENGTH = 2048;

const successStatuses: readonly number[] = [200, 201, 202, 204]; // specification, Events 5
const redirectStatuses: readonly number[] = [301, 302]; // specification, Events 5; 303, 307 and 308 are failures

export const isSuccess = (status: number): boolean => successStatuses.includes(status);
export const isRedirect = (status: number): boolean => redirectStatuses.includes(status);

const retryDelaysSeconds = [2, 6, 18, 54] as const; // 1 try + 4 retries (G30)
const JITTER = 0.2;

/** How long to wait after so many failures; null: that was the last. `random` is from 0 to below 1, 0.5 means no jitter. */
export const delayAfterMs = (failures: number, random: number): number | null => {
  const seconds = retryDelaysSeconds[failures - 1];
  return seconds === undefined ? null : Math.round(seconds * 1000 * (1 + (2 * random - 1) * JITTER));
};

/**
 * What the text of a url alone can tell. Whether its host may be reached, and over http, is known only once the host
 * has an address: the guard in delivery/ decides that.
 */
export const checkWebhookUrl = (text: string, policy: AddressPolicy): Result<URL> => {
  if (text.length > MAX_WEBHOOK_URL_LENGTH) {
    return invalid(`url has ${text.length} characters; the most allowed is ${MAX_WEBHOOK_URL_LENGTH}`);
  }
  if (!URL.canParse(text)) return invalid("url must be a whole address, such as https://example.com/hooks");
  const url = new URL(text);
  return refuseParts(url, policy) ?? url;
};

const refuseParts = (url: URL, policy: AddressPolicy): Refusal | null => {
  if (url.protocol !== "https:" && url.protocol !== "http:") return invalid("url must begin with https://");
  if (url.username !== "" || url.password !== "") {
    return invalid("url must not hold a user or password; requests are signed instead");
  }
  if (url.protocol === "http:" && !couldUseHttp(policy)) return invalid("url must begin with https://");
  return null;
};

const couldUseHttp = (policy: AddressPolicy): boolean =>
  policy.allowHttp || policy.allowLoopback || policy.allowedNetworks.length > 0;
