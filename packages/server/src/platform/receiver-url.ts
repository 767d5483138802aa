import type { AddressPolicy } from "./attempt.js";
import { invalid, type Refusal, type Result } from "./refusal.js";

/**
 * Checks only the text of a receiver's URL. Whether its host may be reached, and over http, is decided by the address
 * guard once the host is resolved.
 *
 * @param member what messages call it
 */
export const checkReceiverUrl = (
  text: string,
  policy: AddressPolicy,
  { member, maxLength }: { readonly member: string; readonly maxLength: number },
): Result<URL> => {
  if (text.length > maxLength) {
    return invalid(`${member} has ${text.length} characters; the most allowed is ${maxLength}`);
  }
  if (!URL.canParse(text)) return invalid(`${member} must be a complete address, such as https://example.com/hooks`);
  const url = new URL(text);
  return refuseParts(url, policy, member) ?? url;
};

const refuseParts = (url: URL, policy: AddressPolicy, member: string): Refusal | null => {
  if (url.protocol !== "https:" && url.protocol !== "http:") return invalid(`${member} must begin with https://`);
  if (url.username !== "" || url.password !== "") {
    return invalid(`${member} must not contain a user or password; requests are signed instead`);
  }
  if (url.protocol === "http:" && !couldUseHttp(policy)) return invalid(`${member} must begin with https://`);
  return null;
};

const couldUseHttp = (policy: AddressPolicy): boolean =>
  policy.allowHttp || policy.allowLoopback || policy.allowedNetworks.length > 0;
