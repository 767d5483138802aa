import type { Webhook } from "../domain/delivery.js";
import { invalid, isRefusal, notFound, type Result } from "../domain/refusal.js";
import { type AddressPolicy, checkWebhookUrl, type WebhookEventName } from "../domain/webhook.js";
import { actorOf, type Caller, type Ports } from "./ports.js";

export const MAX_WEBHOOKS = 20;

/** Sends the test request of a registration; answers null for success, else what went wrong. */
export type ProbeWebhook = (webhook: Webhook) => Promise<string | null>;

export interface WebhookPorts extends Ports {
  readonly policy: AddressPolicy;
  readonly newSecret: () => string;
  readonly probe: ProbeWebhook;
}

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly WebhookEventName[];
}

/** Registers a webhook after its address answered the test request (G34). */
export const registerWebhook = async (
  ports: WebhookPorts,
  caller: Caller,
  input: NewWebhook,
): Promise<Result<Webhook>> => {
  const { stores, transact, clock, newId, policy, newSecret, probe } = ports;
  const url = checkWebhookUrl(input.url, policy);
  if (isRefusal(url)) return url;
  const before = await stores.webhooks.ofAccount(caller.accountId);
  if (before.length >= MAX_WEBHOOKS) return tooMany();
  const events = [...new Set(input.events)];
  const identity = { id: newId("wh"), accountId: caller.accountId, createdAt: clock.now() };
  const webhook: Webhook = { ...identity, url: url.href, events, secret: newSecret() };
  const fault = await probe(webhook);
  if (fault !== null) {
    return invalid(
      `the test request to the url failed (${fault}); answer it with 200 and register again. Nothing was created.`,
    );
  }
  return transact(async (inside) => {
    // The lock lets one registration after the other count what is there.
    await inside.accounts.lock(caller.accountId);
    if ((await inside.webhooks.ofAccount(caller.accountId)).length >= MAX_WEBHOOKS) return tooMany();
    await inside.webhooks.insert(webhook);
    const act = { actor: actorOf(caller), at: webhook.createdAt };
    await inside.audit.append(act, "webhook.create", webhook, { after: withoutSecret(webhook) });
    return webhook;
  });
};

export const deleteWebhook = ({ transact, clock }: Ports, caller: Caller, id: string) =>
  transact(async (stores): Promise<Result<Webhook>> => {
    const at = clock.now();
    const webhook = await stores.webhooks.remove(caller.accountId, id, at);
    if (webhook === null) return notFound("webhook");
    await stores.audit.append({ actor: actorOf(caller), at }, "webhook.delete", webhook, {
      before: withoutSecret(webhook),
    });
    return webhook;
  });

const tooMany = () => invalid(`the account has ${MAX_WEBHOOKS} webhooks, as many as one may have; delete one first`);

const withoutSecret = ({ id, url, events }: Webhook) => ({ id, url, events });
