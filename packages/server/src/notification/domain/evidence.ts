import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { HandedTo } from "./mail.js";
import type { WebhookEventName } from "./webhook.js";

interface DeliveryDetail {
  readonly webhookId: string;
  readonly url: string;
  readonly deliveryId: string;
  readonly event: WebhookEventName;
}

interface AttemptDetail extends DeliveryDetail {
  readonly number: number;
  readonly status: number | null;
  readonly durationMs: number;
  readonly address: string | null;
  readonly error: string | null;
}

/** Of a state of the dispatch. */
interface StateDetail {
  readonly modificationNumber: number;
}

interface ReadDetail extends StateDetail {
  /** The dispatch was over when it was read: that acknowledges nothing. Null where no such state is known. */
  readonly isAfterEnd: boolean | null;
}

interface MailDetail {
  readonly mailId: string;
  readonly event: WebhookEventName;
}

/** Of one VEN; the modification is that of the dispatch. */
interface VenDetail extends StateDetail {
  readonly ven: string;
  readonly venId: string;
}

/** The VEN as it was when the notice went out. */
interface VenNoticeDetail extends VenDetail {
  /** Those of its sites that are dispatched; null: all of its account's. */
  readonly siteIds: readonly string[] | null;
  readonly pollIntervalSeconds: number;
  /** By when it had to poll, in milliseconds since 1970. */
  readonly pollByMs: number;
}

type VenPushDetail = VenDetail & Omit<AttemptDetail, keyof DeliveryDetail>;

/** What happened, by the channel on which it did. */
export type Occurrence =
  | { readonly channel: "rest"; readonly what: "notified"; readonly detail: StateDetail }
  | { readonly channel: "rest"; readonly what: "polled" | "fetched"; readonly detail: ReadDetail }
  | { readonly channel: "webhook"; readonly what: "notified" | "delivered"; readonly detail: DeliveryDetail }
  | { readonly channel: "webhook"; readonly what: "attempt"; readonly detail: AttemptDetail }
  | {
      readonly channel: "webhook";
      readonly what: "failed";
      readonly detail: DeliveryDetail & { readonly reason: "attempts_failed" | "webhook_deleted" | "account_disabled" };
    }
  | { readonly channel: "openadr"; readonly what: "notified"; readonly detail: VenNoticeDetail }
  | { readonly channel: "openadr"; readonly what: "polled"; readonly detail: VenDetail & ReadDetail }
  | { readonly channel: "openadr"; readonly what: "delivered"; readonly detail: VenDetail }
  | { readonly channel: "openadr"; readonly what: "attempt"; readonly detail: VenPushDetail }
  | {
      readonly channel: "openadr";
      readonly what: "acknowledged";
      readonly detail: VenDetail & ReadDetail & { readonly opt: "optIn" | "optOut"; readonly responseCode: string };
    }
  | {
      readonly channel: "openadr";
      readonly what: "failed";
      readonly detail: VenDetail &
        (
          | { readonly reason: "not_polled" | "not_acknowledged" | "reply_limit" | "attempts_failed" }
          | { readonly reason: "ven_error"; readonly responseCode: string; readonly error: string | null }
        );
    }
  /** Nothing had reached the account in time. */
  | { readonly channel: "mail"; readonly what: "notified"; readonly detail: MailDetail }
  | {
      readonly channel: "mail";
      readonly what: "mailed";
      readonly detail: MailDetail & {
        readonly refusedRecipients: number;
        /** Null in mails of versions that did not keep them. */
        readonly recipients: readonly HandedTo[] | null;
      };
    }
  | {
      readonly channel: "mail";
      readonly what: "failed";
      readonly detail: MailDetail & {
        readonly reason: "no_contacts" | "kept" | "expired";
        readonly error: string | null;
      };
    };

/** One thing that happened between a dispatch and an account it calls. */
export type Evidence = Occurrence & {
  readonly at: Date;
  readonly accountId: string;
  /** The one site that it concerns; null where the dispatch calls several of the account's. */
  readonly siteId: string | null;
};

/** Position of an item in time; the key distinguishes items of the same moment. */
export interface EvidencePlace {
  readonly at: Date;
  readonly key: string;
}

/** A state of a dispatch as its participants could see it, from then on. */
export interface Revealed {
  readonly modificationNumber: number;
  readonly at: Date;
}

interface Revision extends Revealed {
  readonly authorized: boolean;
}

/**
 * What participants could see of a dispatch up to now. Of the states before the notification time they see the last,
 * and none of a dispatch cancelled before it (G16).
 */
export const revealed = (
  { notification }: Pick<Dispatch, "notification">,
  revisions: readonly Revision[],
  now: Date,
): readonly Revealed[] => {
  const last = revisions.findLast(({ at }) => at < notification);
  const atNotification = last?.authorized === true ? [{ ...last, at: notification }] : [];
  const later = revisions.filter(({ at }) => at >= notification);
  return [...atNotification, ...later].filter(({ at }) => at <= now);
};
