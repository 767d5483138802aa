import type { Caller } from "../../access/operations/caller.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { Result } from "../../platform/refusal.js";
import type { Resend, ResendPlace, Webhook } from "../domain/delivery.js";
import { deleteWebhook, type NewWebhook, registerWebhook, type WebhookPorts } from "./manage-webhooks.js";
import { listResends, type ResendPorts } from "./resend-delivery.js";

/** Participants' requests about webhooks. */
export interface WebhookService {
  listWebhooks(caller: Caller): Promise<readonly Webhook[]>;
  registerWebhook(caller: Caller, webhook: NewWebhook): Promise<Result<Webhook>>;
  deleteWebhook(caller: Caller, id: string): Promise<Result<Webhook>>;
  /** Resends of the last day, newest first. */
  listResends(caller: Caller, page: PageRequest<ResendPlace>): Promise<Page<Resend, ResendPlace>>;
}

export type WebhookServicePorts = WebhookPorts & ResendPorts;

export const webhookService = (ports: WebhookServicePorts): WebhookService => ({
  listWebhooks: (caller) => ports.stores.webhooks.ofAccount(caller.accountId),
  registerWebhook: (caller, webhook) => registerWebhook(ports, caller, webhook),
  deleteWebhook: (caller, id) => deleteWebhook(ports, caller, id),
  listResends: (caller, page) => listResends(ports, caller, page),
});
