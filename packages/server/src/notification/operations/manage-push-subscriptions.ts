import type { User } from "../../access/domain/user.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { SignedIn } from "../../access/operations/sign-in-ports.js";
import type { AddressPolicy, SentAttempt } from "../../platform/attempt.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, isRefusal, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import {
  checkPushEndpoint,
  isGone,
  MAX_PUSH_SUBSCRIPTIONS,
  type PushSubscription,
  type PushTarget,
} from "../domain/push-subscription.js";

export interface PushSubscriptionStore {
  /** Oldest first, without those whose session was ended. */
  ofUser(userId: string): Promise<readonly PushSubscription[]>;
  /** With its target; null if the target cannot be decrypted. */
  find(userId: string, id: string): Promise<{ subscription: PushSubscription; target: PushTarget | null } | null>;
  /** Adds a browser. One that is known moves to the person, and to the session, that registers it. */
  save(subscription: PushSubscription, target: PushTarget): Promise<PushSubscription>;
  /** false if the person has none with this id. */
  remove(userId: string, id: string): Promise<boolean>;
  noteAttempt(id: string, at: Date, error: string | null): Promise<void>;
}

export type PushSubscriptionStores = Pick<AccessStores, "audit" | "users"> & {
  readonly pushSubscriptions: PushSubscriptionStore;
};

export interface PushSubscriptionPorts extends Ports<PushSubscriptionStores> {
  readonly policy: AddressPolicy;
  /** Whether a message can be encrypted for the browser. */
  readonly fitsKeys: (target: PushTarget) => boolean;
  /** Sends a test message; never throws for failures of the network or the push service. */
  readonly testPush: (to: Pick<SignedIn, "user" | "language">, target: PushTarget) => Promise<Result<SentAttempt>>;
}

export interface NewPushSubscription extends PushTarget {
  readonly name: string;
}

/** Registers the browser of a session, or renews it after a new sign-in. */
export const addPushSubscription = (
  { transact, clock, newId, policy, fitsKeys }: PushSubscriptionPorts,
  { user, session }: SignedIn,
  { name, ...target }: NewPushSubscription,
): Promise<Result<PushSubscription>> =>
  transact(async (stores): Promise<Result<PushSubscription>> => {
    const url = checkPushEndpoint(target.endpoint, policy);
    if (isRefusal(url)) return url;
    if (!fitsKeys(target)) return invalid("keys must be those that the browser returned with the endpoint");
    // The lock serialises counting and adding.
    await stores.users.lock(user.id, null);
    const at = clock.now();
    const draft = { id: newId("psh"), userId: user.id, sessionId: session.id, name, createdAt: at };
    const saved = await stores.pushSubscriptions.save({ ...draft, lastSuccessAt: null, lastError: null }, target);
    if ((await stores.pushSubscriptions.ofUser(user.id)).length > MAX_PUSH_SUBSCRIPTIONS) return atLimit;
    if (saved.id === draft.id) await stores.audit.append({ actor: `user:${user.id}`, at }, "user.add_push", user, {});
    return saved;
  });

const atLimit: Refusal = invalid(
  `you already have ${MAX_PUSH_SUBSCRIPTIONS} browsers that take notifications, the maximum; remove one first`,
);

export const removePushSubscription = (
  { transact, clock }: Pick<PushSubscriptionPorts, "transact" | "clock">,
  user: User,
  id: string,
): Promise<Result<User>> =>
  transact(async (stores): Promise<Result<User>> => {
    if (!(await stores.pushSubscriptions.remove(user.id, id))) return notFound("push subscription");
    await stores.audit.append({ actor: `user:${user.id}`, at: clock.now() }, "user.remove_push", user, {});
    return user;
  });

/** Sends a test message to one of the user's browsers; one that is gone is removed. */
export const testPushSubscription = async (
  ports: PushSubscriptionPorts,
  to: Pick<SignedIn, "user" | "language">,
  id: string,
): Promise<Result<SentAttempt>> => {
  const { user } = to;
  const { pushSubscriptions } = ports.stores;
  const found = await pushSubscriptions.find(user.id, id);
  if (found === null) return notFound("push subscription");
  if (found.target === null) return invalid("the address of this browser cannot be read any more; register it again");
  const sent = await ports.testPush(to, found.target);
  if (isRefusal(sent)) return sent;
  if (isGone(sent)) await pushSubscriptions.remove(user.id, id);
  else await pushSubscriptions.noteAttempt(id, sent.at, sent.error);
  return sent;
};
