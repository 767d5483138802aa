import type { Page, PageRequest } from "../../platform/page.js";
import type { Delivery, Webhook } from "../domain/delivery.js";
import type { Evidence, EvidencePlace, Revealed } from "../domain/evidence.js";

export interface WebhookStore {
  insert(webhook: Webhook): Promise<void>;
  ofAccount(accountId: string): Promise<readonly Webhook[]>;
  list(accountId: string, page: PageRequest): Promise<Page<Webhook>>;
  /** Deleted ones are not found, here and by `lock`; nor are others than those of `within`, unless it is null. */
  find(id: string, within: string | null): Promise<Webhook | null>;
  lock(id: string, within: string | null): Promise<Webhook | null>;
  saveSecrets(webhook: Webhook): Promise<void>;
  /** Whether there is one of that id, or was one before it was deleted. */
  wasEver(id: string, within: string | null): Promise<boolean>;
  /** Deletes it for good, and drops what was still to be sent to it; null when the account has none of that id. */
  remove(accountId: string, id: string, now: Date): Promise<Webhook | null>;
}

/** What became of notices; the queue of a worker is another port. */
export interface DeliveryStore {
  /** `within`: an account whose alone are found, here and by `ofDispatch`; null for all. */
  find(id: string, within: string | null): Promise<Delivery | null>;
  /** Newest first, as the next one is. */
  ofWebhook(webhookId: string, page: PageRequest): Promise<Page<Delivery>>;
  ofDispatch(dispatchId: string, within: string | null, page: PageRequest): Promise<Page<Delivery>>;
  /** Has it sent once more; false when it waits for that already. */
  resend(id: string, at: Date): Promise<boolean>;
  /** Nothing more is sent to an account's webhooks of what waits: it is disabled. */
  dropOfAccount(accountId: string, at: Date): Promise<void>;
}

/** Whose evidence is asked for: an account's, that of a site's account, or that of all. */
export interface EvidenceFilter {
  readonly accountId: string | null;
  readonly siteId: string | null;
}

/** A dispatch, as far as its evidence needs it. */
export interface EvidenceSubject {
  readonly notification: Date;
  /** An account of the dispatch that meets the filter; null where none does. */
  readonly accountId: string | null;
}

/** The evidence that is asked for: of a dispatch, of one account of it or of all. */
export interface EvidenceRequest {
  readonly dispatchId: string;
  readonly accountId: string | null;
  /** What participants could see of the dispatch, and from when on. */
  readonly revealed: readonly Revealed[];
  readonly now: Date;
}

export interface EvidenceStore {
  findSubject(dispatchId: string, filter: EvidenceFilter): Promise<EvidenceSubject | null>;
  /** Oldest first. */
  list(request: EvidenceRequest, page: PageRequest<EvidencePlace>): Promise<Page<Evidence, EvidencePlace>>;
}
