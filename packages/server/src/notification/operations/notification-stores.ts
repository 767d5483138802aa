import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { Delivery, Resend, ResendPlace, Webhook } from "../domain/delivery.js";
import type { Evidence, EvidencePlace, Revealed } from "../domain/evidence.js";
import type { Overdue, OverdueMail, OwedAccount, OwedNotice } from "../domain/owed-notice.js";
import type { PhoneCall } from "../domain/phone-call.js";

/** Stores of webhooks, deliveries and owed notices. */
export interface NotificationStores {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly evidence: EvidenceStore;
  readonly owed: OwedStore;
  readonly phoneCalls: PhoneCallStore;
}

export interface WebhookStore {
  insert(webhook: Webhook): Promise<void>;
  ofAccount(accountId: string): Promise<readonly Webhook[]>;
  list(accountId: string, page: PageRequest): Promise<Page<Webhook>>;
  /** Does not find deleted ones, and neither does `lock`. `within` limits it to an account; null: any. */
  find(id: string, within: string | null): Promise<Webhook | null>;
  lock(id: string, within: string | null): Promise<Webhook | null>;
  saveSecrets(webhook: Webhook): Promise<void>;
  /** Whether the webhook exists or existed before it was deleted. */
  wasEver(id: string, within: string | null): Promise<boolean>;
  /** Deletes it for good, with its pending deliveries; null if the account has no such webhook. */
  remove(accountId: string, id: string, now: Date): Promise<Webhook | null>;
}

/** Deliveries and their outcomes; the worker's queue is a separate port. */
export interface DeliveryStore {
  /** `within` limits it to an account, as in `ofDispatch`; null: any. */
  find(id: string, within: string | null): Promise<Delivery | null>;
  /** Newest first, as in the next method. */
  ofWebhook(webhookId: string, page: PageRequest): Promise<Page<Delivery>>;
  ofDispatch(dispatchId: string, within: string | null, page: PageRequest): Promise<Page<Delivery>>;
  /** Of several dispatches, for any account. */
  ofDispatches(dispatchIds: readonly string[], page: PageRequest): Promise<Page<Delivery>>;
  /** Requests a resend; false if one is already pending. */
  resend(id: string, at: Date): Promise<boolean>;
  /** Resends to webhooks of an account that were requested since a moment, newest first. */
  resendsOf(accountId: string, since: Date, page: PageRequest<ResendPlace>): Promise<Page<Resend, ResendPlace>>;
  /** Drops pending deliveries of an account that was disabled. */
  dropOfAccount(accountId: string, at: Date): Promise<void>;
}

export interface PhoneCallStore {
  insert(call: PhoneCall): Promise<void>;
}

/** Which evidence to return: of an account, of a site's account, or all. */
export interface EvidenceFilter {
  readonly accountId: string | null;
  readonly siteId: string | null;
}

/** What the evidence of a dispatch needs to know about it. */
interface EvidenceSubject {
  readonly notification: Date;
  readonly isRecord: boolean;
  /** The account of the dispatch that matches the filter; null if none does. */
  readonly accountId: string | null;
}

/** A request for the evidence of a dispatch, of one of its accounts or of all. */
interface EvidenceRequest {
  readonly dispatchId: string;
  readonly accountId: string | null;
  /** What participants could see of the dispatch, and since when. */
  readonly revealed: readonly Revealed[];
  readonly now: Date;
}

export interface EvidenceStore {
  findSubject(dispatchId: string, filter: EvidenceFilter): Promise<EvidenceSubject | null>;
  /** Oldest first. */
  list(request: EvidenceRequest, page: PageRequest<EvidencePlace>): Promise<Page<Evidence, EvidencePlace>>;
}

/** A dispatch with its due notices that may still be owed to an account, in order. */
export interface OwedDispatch extends Pick<Dispatch, "id" | "authorized" | "end" | "changedAt"> {
  readonly notices: readonly UnseenNotice[];
}

type UnseenNotice = Omit<OwedNotice, "since"> & {
  readonly dueAt: Date;
  /** null: not checked yet. */
  readonly since: Date | null;
};

/** The result of checking a dispatch. */
interface Look {
  readonly dispatchId: string;
  readonly notices: readonly OwedNotice[];
  /** null: no account is owed a notice. */
  readonly nextAt: Date | null;
}

interface ReachedAccount {
  readonly dispatchId: string;
  readonly accountId: string;
  readonly modificationNumber: number;
}

export interface OwedStore {
  /** Whether no other process is checking; holds until the end of the transaction. */
  takeTurn(): Promise<boolean>;
  /** The dispatch that has waited longest for a check; null if none is due. */
  next(now: Date): Promise<OwedDispatch | null>;
  /** Accounts that a notice has not reached, without disabled ones. */
  unreached(dispatch: OwedDispatch, now: Date): Promise<readonly OwedAccount[]>;
  /** The same, limited to accounts that none of our channels can reach. */
  withoutChannel(dispatch: OwedDispatch, now: Date): Promise<readonly OwedAccount[]>;
  /** Queues mails for them, and records that they missed the deadline. */
  mail(dispatchId: string, overdue: readonly Overdue[], at: Date): Promise<void>;
  saveLook(look: Look): Promise<void>;
  /** Mails of accounts that missed the deadline, until they are settled. */
  unsettled(): Promise<readonly OverdueMail[]>;
  /** The newest modification that reached each account of these dispatches, or one account, by any channel. */
  reached(dispatchIds: readonly string[], accountId?: string): Promise<readonly ReachedAccount[]>;
  settle(mailIds: readonly string[], at: Date): Promise<void>;
}
