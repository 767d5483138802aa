import type { EvidentAttempt, FailedResend, MessageOutcome } from "../../dispatch/domain/message.js";
import type { Attempt, ResponseStart } from "../../platform/attempt.js";
import type { WebhookEventName } from "./webhook.js";

/** An address that an account registered for notifications of its dispatches. */
export interface Webhook {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly events: readonly WebhookEventName[];
  readonly secret: string;
  readonly previousSecret: PreviousSecret | null;
  readonly createdAt: Date;
  /** Date of the version of the interface that it was registered under; its notifications name paths of that version. */
  readonly interfaceVersion: string;
}

/** The secret that a rotation replaced; valid for a limited time. */
export interface PreviousSecret {
  readonly secret: string;
  readonly until: Date;
}

export const CHANGE_OVER_MS = 24 * 3_600_000;

/** The current secret becomes the previous one; the one before that is no longer valid. */
export const withNewSecret = (webhook: Webhook, secret: string, now: Date): Webhook => ({
  ...webhook,
  secret,
  previousSecret: { secret: webhook.secret, until: new Date(now.getTime() + CHANGE_OVER_MS) },
});

/** Every secret that a request is signed with, newest first. */
export const validSecrets = ({ secret, previousSecret }: Webhook, now: Date): readonly string[] =>
  previousSecret !== null && previousSecret.until > now ? [secret, previousSecret.secret] : [secret];

/** A delivery to one webhook, held by one worker until its lease ends. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly dispatchId: string;
  readonly event: WebhookEventName;
  readonly url: string;
  readonly interfaceVersion: string;
  /** All valid ones, newest first; empty if they cannot be decrypted. */
  readonly secrets: readonly string[];
  readonly failures: number;
  readonly isResend: boolean;
  /** When its event became due. */
  readonly noticedAt: Date;
  /** The outcome counts only under this lease; afterwards another worker holds the delivery. */
  readonly leasedUntil: Date;
}

/** One request to a webhook, with the start of the response. */
export interface WebhookAttempt extends Attempt, ResponseStart {}

/** What an attempt came to. */
export type DeliveryOutcome = (MessageOutcome | FailedResend) & { readonly attempt: EvidentAttempt };

/** A delivery to one webhook in its current state. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly dispatchId: string;
  readonly event: WebhookEventName;
  readonly state: "pending" | "delivered" | "failed" | "dropped";
  /** By the retry schedule; null unless pending. */
  readonly nextAttemptAt: Date | null;
  /** Since when an operator's resend is pending or running. */
  readonly resendAt: Date | null;
  readonly createdAt: Date;
  /** What its requests name. */
  readonly resource: string;
  readonly attempts: readonly WebhookAttempt[];
}

/** A request of the operator, or of a person of the account, to send a delivery once more. */
export interface Resend extends Pick<Delivery, "webhookId" | "dispatchId" | "event"> {
  readonly deliveryId: string;
  /** Of the dispatch, when the event occurred. */
  readonly modificationNumber: number;
  readonly at: Date;
}

/** Where a page of resends ended. A delivery has one at a time, so both tell it. */
export type ResendPlace = Pick<Resend, "at" | "deliveryId">;

type AuditedDelivery = Pick<Delivery, "webhookId" | "dispatchId" | "event" | "state"> & { readonly resendAt?: Date };

type AuditedWebhook = Pick<Webhook, "id" | "url" | "events"> & {
  readonly previousSecretUntil?: Date | undefined;
  // The compiler refuses a webhook itself, which would be stored with its secrets.
  readonly secret?: never;
  readonly previousSecret?: never;
};

declare module "../../access/domain/audit.js" {
  interface Audited {
    delivery: { action: "delivery.resend"; state: AuditedDelivery };
    webhook: { action: "webhook.create" | "webhook.delete" | "webhook.rotate_secret"; state: AuditedWebhook };
  }
}
