import { callbackFault, type SubscriptionRequest } from "@curtail/openadr-3";
import type { AddressPolicy, SentAttempt } from "../../platform/attempt.js";
import { invalid, isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import { MAX_CALLBACK_CHARACTERS, MAX_OPERATIONS, MAX_SUBSCRIPTIONS } from "../domain/notification.js";
import type { StoredObject } from "../domain/stored-object.js";
import type { Openadr3Caller } from "./caller.js";
import type { ObjectStore } from "./object-ports.js";

/** One address that a client wants to be notified at. */
export interface Callback {
  readonly clientId: string;
  readonly url: string;
}

/** Asks an address for an echo; ok only if it sent the value back. Refused while too many are under way. */
export type ChallengeCallback = (callback: Callback) => Promise<Result<SentAttempt>>;

export interface CallbackPorts {
  readonly policy: AddressPolicy;
  readonly challenge: ChallengeCallback;
  readonly objects: Pick<ObjectStore, "search">;
}

type Callbacks = Pick<SubscriptionRequest, "objectOperations">;

/**
 * Refuses a subscription whose addresses may not be notified, or do not answer the challenge (Definition, Webhooks).
 * Those that the subscription had before were challenged then.
 */
export const refuseCallbacks = async (
  ports: CallbackPorts,
  caller: Openadr3Caller,
  { objectOperations }: Callbacks,
  before: StoredObject | null,
): Promise<Refusal | null> => {
  if (objectOperations.length > MAX_OPERATIONS) {
    return invalid(`objectOperations has ${objectOperations.length} entries; the most allowed is ${MAX_OPERATIONS}`);
  }
  if (before === null && (await isAtLimit(ports, caller))) {
    return invalid(`the client already has ${MAX_SUBSCRIPTIONS} subscriptions, the maximum; delete one first`);
  }
  const known = new Set(
    ((before?.body as Callbacks | undefined)?.objectOperations ?? []).map((each) => each.callbackUrl),
  );
  const fresh = new Map<string, string>();
  for (const [index, { callbackUrl }] of objectOperations.entries()) {
    const member = `objectOperations[${index}].callbackUrl`;
    const fault = faultOf(callbackUrl, ports.policy);
    if (fault !== null) return invalid(`${member} ${fault}`);
    if (!known.has(callbackUrl) && !fresh.has(callbackUrl)) fresh.set(callbackUrl, member);
  }
  const answers = await Promise.all(
    [...fresh].map(async ([url, member]) =>
      refusalOf(member, await ports.challenge({ clientId: caller.client.id, url })),
    ),
  );
  return answers.find((refusal) => refusal !== null) ?? null;
};

/** By its form; what it resolves to is checked whenever it is called. */
const faultOf = (url: string, policy: AddressPolicy): string | null =>
  url.length > MAX_CALLBACK_CHARACTERS
    ? `has ${url.length} characters; the most allowed is ${MAX_CALLBACK_CHARACTERS}`
    : callbackFault(url, (hostname) => allowsHttp(policy, hostname));

/** https is what the specification wants; the operator may allow http, and a service on this machine calls itself so. */
const allowsHttp = ({ allowHttp, allowLoopback, allowedNetworks }: AddressPolicy, hostname: string): boolean =>
  allowHttp || allowedNetworks.length > 0 || (allowLoopback && LOOPBACK.has(hostname));

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

const refusalOf = (member: string, answer: Result<SentAttempt>): Refusal | null => {
  if (isRefusal(answer)) return answer;
  if (answer.ok) return null;
  return invalid(
    `${member} did not answer the challenge (${answer.error}): a GET with the query parameter echo has to be answered ` +
      "with status 200 and its value as the body. Nothing was stored.",
  );
};

const isAtLimit = async ({ objects }: CallbackPorts, { client }: Openadr3Caller): Promise<boolean> => {
  const { environment, id: clientId } = client;
  const search = { environment, objectType: "SUBSCRIPTION", clientId, targets: null, withUntargeted: true } as const;
  return (await objects.search({ ...search, skip: MAX_SUBSCRIPTIONS - 1, limit: 1 })).length > 0;
};
