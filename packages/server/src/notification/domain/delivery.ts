import type { Attempt, Outcome } from "../../platform/attempt.js";
import type { WebhookEventName } from "./webhook.js";

/** An address that an account registered to be notified of its dispatches. */
export interface Webhook {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly events: readonly WebhookEventName[];
  readonly secret: string;
  readonly previousSecret: PreviousSecret | null;
  readonly createdAt: Date;
}

/** What a rotation replaced; good until then. */
export interface PreviousSecret {
  readonly secret: string;
  readonly until: Date;
}

export const CHANGE_OVER_MS = 24 * 3_600_000;

/** The secret before becomes the previous one; the one before that is no longer good. */
export const withNewSecret = (webhook: Webhook, secret: string, now: Date): Webhook => ({
  ...webhook,
  secret,
  previousSecret: { secret: webhook.secret, until: new Date(now.getTime() + CHANGE_OVER_MS) },
});

/** Every secret that a request is signed with, the newest first. */
export const validSecrets = ({ secret, previousSecret }: Webhook, now: Date): readonly string[] =>
  previousSecret !== null && previousSecret.until > now ? [secret, previousSecret.secret] : [secret];

/** A notice on its way to one webhook, in the hands of one worker until its lease ends. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly dispatchId: string;
  readonly event: WebhookEventName;
  readonly url: string;
  /** Every one that is valid, the newest first; none where they cannot be read. */
  readonly secrets: readonly string[];
  readonly failures: number;
  readonly isResend: boolean;
  /** When its event became due. */
  readonly noticedAt: Date;
  /** What became of it counts while the lease is this one: afterwards it is in other hands. */
  readonly leasedUntil: Date;
}

/** What is kept of an attempt. */
export interface AttemptRecord {
  readonly delivery: ClaimedDelivery;
  readonly attempt: Attempt;
  readonly outcome: Outcome;
}

/** A notice to one webhook, as it stands. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly dispatchId: string;
  readonly event: WebhookEventName;
  readonly state: "pending" | "delivered" | "failed" | "dropped";
  /** Of the retry schedule; null unless pending. */
  readonly nextAttemptAt: Date | null;
  /** Since when an operator's resend waits or is under way. */
  readonly resendAt: Date | null;
  readonly createdAt: Date;
  readonly attempts: readonly Attempt[];
}

type AuditedDelivery = Pick<Delivery, "webhookId" | "dispatchId" | "event" | "state"> & { readonly resendAt?: Date };

type AuditedWebhook = Pick<Webhook, "id" | "url" | "events"> & {
  readonly previousSecretUntil?: Date | undefined;
  // A webhook itself is refused by the compiler: it would be stored with these.
  readonly secret?: never;
  readonly previousSecret?: never;
};

declare module "../../access/domain/audit.js" {
  interface Audited {
    delivery: { action: "delivery.resend"; state: AuditedDelivery };
    webhook: { action: "webhook.create" | "webhook.delete" | "webhook.rotate_secret"; state: AuditedWebhook };
  }
}
