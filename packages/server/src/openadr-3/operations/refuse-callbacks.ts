import { callbackFault, type SubscriptionRequest } from "@curtail/openadr-3";
import type { AddressPolicy } from "../../platform/attempt.js";
import { quote } from "../../platform/quote.js";
import { invalid, type Refusal } from "../../platform/refusal.js";

/** Refuses an address that must not be called back, or that does not belong to who subscribes. */
export type RefuseCallback = (url: string) => Promise<Refusal | null>;

/** By the form of an address; what it resolves to is checked whenever it is called. */
export const refuseCallbackForm =
  (policy: AddressPolicy): RefuseCallback =>
  async (url) => {
    const fault = callbackFault(url, (hostname) => allowsHttp(policy, hostname));
    return fault === null ? null : invalid(`callbackUrl ${quote(url)} ${fault}`);
  };

/** https is what the specification wants; the operator may allow http, and a service on this machine calls itself so. */
const allowsHttp = ({ allowHttp, allowLoopback, allowedNetworks }: AddressPolicy, hostname: string): boolean =>
  allowHttp || allowedNetworks.length > 0 || (allowLoopback && loopback.has(hostname));

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The first refusal of the addresses of a subscription, each asked for once. */
export const refuseCallbacks = async (
  refuse: RefuseCallback,
  { objectOperations }: SubscriptionRequest,
): Promise<Refusal | null> => {
  for (const url of new Set(objectOperations.map(({ callbackUrl }) => callbackUrl))) {
    const refusal = await refuse(url);
    if (refusal !== null) return refusal;
  }
  return null;
};
