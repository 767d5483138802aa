import type { WebhookEventName } from "./webhook.js";

/** An address that an account registered, told of the dispatches that concern it. */
export interface Webhook {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly events: readonly WebhookEventName[];
  readonly secret: string;
  readonly createdAt: Date;
}

/** What is to be told of a dispatch, from when on; to whom is found out then. */
export interface Notice {
  readonly dispatchId: string;
  readonly event: WebhookEventName;
  readonly dueAt: Date;
}

/** A notice on its way to one webhook, in the hands of one worker until its lease ends. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly dispatchId: string;
  readonly event: WebhookEventName;
  readonly url: string;
  readonly secret: string;
  readonly failures: number;
}

/** One request, as it went. */
export interface Attempt {
  readonly at: Date;
  readonly status: number | null;
  readonly durationMs: number;
  readonly address: string | null;
  readonly error: string | null;
}

/** What becomes of a delivery after an attempt. */
export type Outcome =
  | { readonly state: "delivered" | "failed" }
  | { readonly state: "pending"; readonly nextAttemptAt: Date };
