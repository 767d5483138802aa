import type { Caller } from "../../access/operations/caller.js";
import type { Result } from "../../platform/refusal.js";
import type { Webhook } from "../domain/delivery.js";
import { deleteWebhook, type NewWebhook, registerWebhook, type WebhookPorts } from "./manage-webhooks.js";

/** Participants' requests about webhooks. */
export interface WebhookService {
  listWebhooks(caller: Caller): Promise<readonly Webhook[]>;
  registerWebhook(caller: Caller, webhook: NewWebhook): Promise<Result<Webhook>>;
  deleteWebhook(caller: Caller, id: string): Promise<Result<Webhook>>;
}

export const webhookService = (ports: WebhookPorts): WebhookService => ({
  listWebhooks: (caller) => ports.stores.webhooks.ofAccount(caller.accountId),
  registerWebhook: (caller, webhook) => registerWebhook(ports, caller, webhook),
  deleteWebhook: (caller, id) => deleteWebhook(ports, caller, id),
});
