import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Caller, Manager } from "../../access/operations/caller.js";
import type { DispatchStores } from "../../dispatch/operations/dispatch-stores.js";
import type { AlarmStores } from "../../platform/alarm-ports.js";
import type { AddressPolicy, AnsweredAttempt } from "../../platform/attempt.js";
import type { Ports } from "../../platform/ports.js";
import { raiseForAccount } from "../../platform/raise-alarms.js";
import { invalid, isRefusal, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import { type Webhook, withNewSecret } from "../domain/delivery.js";
import { checkWebhookUrl, type WebhookEventName } from "../domain/webhook.js";
import type { NotificationStores } from "./notification-stores.js";

/** Stores that production and the sandbox both have for integrators: webhooks, deliveries, requests. */
export type EnvironmentStores = WebhookStores &
  Pick<NotificationStores, "deliveries"> &
  Pick<DispatchStores, "dispatches"> &
  Pick<AccessStores, "requests">;

export type WebhookStores = AlarmStores &
  Pick<NotificationStores, "webhooks"> &
  Pick<AccessStores, "accounts" | "audit">;

const MAX_WEBHOOKS = 20;

/** Sends the test request, unless too many are running; never throws for failures of the network or the receiver. */
export type ProbeWebhook = (webhook: Webhook) => Promise<Result<AnsweredAttempt>>;

export interface WebhookPorts extends Ports<WebhookStores> {
  readonly policy: AddressPolicy;
  readonly newSecret: () => string;
  readonly probe: ProbeWebhook;
}

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly WebhookEventName[];
  /** Date of the version that registers it. */
  readonly interfaceVersion: string;
}

/** Registers a webhook after its address answered the test request (G34). */
export const registerWebhook = async (
  ports: WebhookPorts,
  caller: Caller,
  input: NewWebhook,
): Promise<Result<Webhook>> => {
  const { stores, transact, policy } = ports;
  const url = checkWebhookUrl(input.url, policy);
  if (isRefusal(url)) return url;
  const before = await stores.webhooks.ofAccount(caller.accountId);
  if (before.length >= MAX_WEBHOOKS) return atLimit();
  const webhook = draftWebhook(ports, caller, input);
  const sent = await ports.probe(webhook);
  if (isRefusal(sent)) return sent;
  if (!sent.ok) return testFailed(`the test request to the url failed (${sent.error})`);
  return transact(async (inside) => {
    // The lock serialises counting and adding.
    await inside.accounts.lock(caller.accountId);
    if ((await inside.webhooks.ofAccount(caller.accountId)).length >= MAX_WEBHOOKS) return atLimit();
    await inside.webhooks.insert(webhook);
    const act = { actor: caller.actor, at: webhook.createdAt };
    await inside.audit.append(act, "webhook.create", webhook, { after: withoutSecret(webhook) });
    return webhook;
  });
};

/** A webhook that is not tested yet. Keeps its URL as given, not as URL parsing normalises it. */
export const draftWebhook = (
  { clock, newId, newSecret }: Pick<WebhookPorts, "clock" | "newId" | "newSecret">,
  { accountId }: Caller,
  { url, events, interfaceVersion }: NewWebhook,
): Webhook => ({
  id: newId("wh"),
  accountId,
  createdAt: clock.now(),
  url,
  events: [...new Set(events)],
  secret: newSecret(),
  previousSecret: null,
  interfaceVersion,
});

export const testFailed = (what: string): Refusal =>
  invalid(`${what}; answer it with status 200 and register again. Nothing was created.`);

export const deleteWebhook = (ports: Ports<WebhookStores>, caller: Caller, id: string) =>
  ports.transact(async (stores): Promise<Result<Webhook>> => {
    const at = ports.clock.now();
    const webhook = await removed(stores, { caller, id, at });
    if (isRefusal(webhook)) return webhook;
    await raiseForAccount(stores, { kind: "last_webhook_deleted", accountId: caller.accountId, at }, ports.newId);
    return webhook;
  });

/** Deletes a webhook of the sandbox. Raises no alarm, because nobody has to curtail there. */
export const deleteRehearsalWebhook = ({ transact, clock }: Ports<WebhookStores>, caller: Caller, id: string) =>
  transact((stores): Promise<Result<Webhook>> => removed(stores, { caller, id, at: clock.now() }));

const removed = async (
  stores: WebhookStores,
  { caller, id, at }: { readonly caller: Caller; readonly id: string; readonly at: Date },
): Promise<Result<Webhook>> => {
  const webhook = await stores.webhooks.remove(caller.accountId, id, at);
  if (webhook === null) return notFound("webhook");
  await stores.audit.append({ actor: caller.actor, at }, "webhook.delete", webhook, {
    before: withoutSecret(webhook),
  });
  return webhook;
};

/** Signs with a new secret from now on, and for a day with the previous one as well. */
export const rotateSecret = (
  { transact, clock, newSecret }: Ports<WebhookStores> & Pick<WebhookPorts, "newSecret">,
  { actor, within }: Manager,
  id: string,
) =>
  transact(async (stores): Promise<Result<Webhook>> => {
    const before = await stores.webhooks.lock(id, within);
    if (before === null) return notFound("webhook");
    const at = clock.now();
    const after = withNewSecret(before, newSecret(), at);
    await stores.webhooks.saveSecrets(after);
    await stores.audit.append({ actor, at }, "webhook.rotate_secret", after, {
      before: withoutSecret(before),
      after: { ...withoutSecret(after), previousSecretUntil: after.previousSecret?.until },
    });
    return after;
  });

/** Sends the test request now and returns its result. */
export const testWebhook = async (
  { stores, probe }: Pick<WebhookPorts, "stores" | "probe">,
  { within }: Manager,
  id: string,
): Promise<Result<AnsweredAttempt>> => {
  const webhook = await stores.webhooks.find(id, within);
  return webhook === null ? notFound("webhook") : probe(webhook);
};

const atLimit = () => invalid(`the account already has ${MAX_WEBHOOKS} webhooks, the maximum; delete one first`);

const withoutSecret = ({ id, url, events }: Webhook) => ({ id, url, events });
