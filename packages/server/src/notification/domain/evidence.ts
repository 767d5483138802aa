import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { AddressedChannel } from "../../platform/channel.js";
import type { Recipient } from "./mail.js";
import type { PersonalChannel } from "./notice-preferences.js";
import type { PhoneChannel } from "./phone-message.js";
import type { WebhookEventName } from "./webhook.js";

interface DeliveryDetail extends StateDetail {
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

/** About a state of the dispatch. */
interface StateDetail {
  readonly modificationNumber: number;
}

interface ReadDetail extends StateDetail {
  /** Whether the dispatch was over when it was read, which acknowledges nothing. null if the state is unknown. */
  readonly isAfterEnd: boolean | null;
}

/** The signed-in person who read it on its page. */
interface ReaderDetail {
  readonly userId: string;
  readonly userName: string;
}

/** About the newest state that was to be told, or for `mailed` the one that was. */
interface MailDetail extends StateDetail {
  readonly mailId: string;
  readonly event: WebhookEventName;
}

/** About one person of the account, who chose to be notified. */
interface PersonalDetail extends StateDetail {
  readonly noticeId: string;
  readonly event: WebhookEventName;
  readonly userId: string;
  readonly userName: string;
  readonly sentBy: PersonalChannel;
  /** null for mail. */
  readonly browser: string | null;
}

/** A call that an operator recorded. */
interface CallDetail extends StateDetail {
  readonly person: string;
  /** For operators only, as is who called. */
  readonly note: string;
  readonly actor: string;
  readonly actorName: string | null;
}

/** About one VEN; the modification is that of the dispatch. */
interface VenDetail extends StateDetail {
  readonly ven: string;
  readonly venId: string;
}

/** The VEN as it was at the time of the notice. */
interface VenNoticeDetail extends VenDetail {
  /** Those of its sites that are dispatched; null: all of its account's. */
  readonly siteIds: readonly string[] | null;
  readonly pollIntervalSeconds: number;
  /** When it had to poll by, in milliseconds since 1970. */
  readonly pollByMs: number;
}

/** About one VEN of OpenADR 3; the modification is that of the dispatch. */
interface ClientDetail extends StateDetail {
  readonly clientId: string;
  /** As it was at the time of the notice. */
  readonly clientName: string;
  readonly eventId: string;
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
}

/** A notification of a subscription. */
interface CallbackDetail extends ClientDetail {
  readonly url: string;
  readonly deliveryId: string;
}

/** A report of operating states. */
interface AnswerDetail extends ClientDetail {
  readonly reportId: string;
  readonly operatingState: string;
  readonly resourceNames: readonly string[];
}

type VenPushDetail = VenDetail & Omit<AttemptDetail, keyof DeliveryDetail>;

interface PhoneDetail extends StateDetail {
  readonly messageId: string;
  readonly event: WebhookEventName;
  /** The contact at that time. */
  readonly name: string;
  readonly phone: string;
}

/** To an address of the account. */
interface AddressedDetail extends StateDetail {
  readonly messageId: string;
  readonly addressId: string;
  readonly event: WebhookEventName;
  /** Of the address at that time. */
  readonly name: string;
}

interface SentText {
  /** As it was sent; null in what versions sent that did not store it. */
  readonly text: string | null;
}

/** An event, by channel. */
export type Occurrence =
  | { readonly channel: "rest"; readonly what: "notified"; readonly detail: StateDetail }
  | { readonly channel: "rest"; readonly what: "polled" | "fetched"; readonly detail: ReadDetail }
  | { readonly channel: "rest"; readonly what: "viewed"; readonly detail: ReadDetail & ReaderDetail }
  | { readonly channel: "webhook"; readonly what: "notified" | "delivered"; readonly detail: DeliveryDetail }
  | { readonly channel: "webhook"; readonly what: "attempt"; readonly detail: AttemptDetail }
  | {
      readonly channel: "webhook";
      readonly what: "failed";
      readonly detail: DeliveryDetail & {
        readonly reason: "attempts_failed" | "webhook_deleted" | "account_disabled" | "outdated";
      };
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
          | { readonly reason: "not_polled" | "not_acknowledged" | "reply_limit" | "attempts_failed" | "outdated" }
          | { readonly reason: "ven_error"; readonly responseCode: string; readonly error: string | null }
        );
    }
  | {
      readonly channel: "openadr3";
      readonly what: "notified";
      readonly detail: ClientDetail & { readonly siteIds: readonly string[] };
    }
  | { readonly channel: "openadr3"; readonly what: "polled"; readonly detail: ClientDetail & ReadDetail }
  | {
      readonly channel: "openadr3";
      readonly what: "attempt";
      readonly detail: CallbackDetail & Omit<AttemptDetail, keyof DeliveryDetail>;
    }
  | { readonly channel: "openadr3"; readonly what: "delivered"; readonly detail: CallbackDetail }
  | {
      readonly channel: "openadr3";
      readonly what: "acknowledged";
      readonly detail: AnswerDetail & ReadDetail & { readonly opt: "optIn" | "optOut" };
    }
  | {
      readonly channel: "openadr3";
      readonly what: "failed";
      readonly detail:
        | (CallbackDetail & {
            readonly reason: "attempts_failed" | "subscription_deleted" | "account_disabled" | "outdated";
          })
        | (AnswerDetail & { readonly reason: "ven_error" });
    }
  | { readonly channel: PhoneChannel; readonly what: "notified"; readonly detail: PhoneDetail }
  | {
      readonly channel: PhoneChannel;
      readonly what: "handed_over";
      readonly detail: PhoneDetail & { readonly gatewayId: string | null } & SentText;
    }
  | {
      readonly channel: PhoneChannel;
      readonly what: "failed";
      readonly detail: PhoneDetail & {
        readonly reason: "gateway_refused" | "gateway_expired" | "outdated";
        readonly error: string | null;
      };
    }
  | { readonly channel: AddressedChannel; readonly what: "notified"; readonly detail: AddressedDetail }
  | {
      readonly channel: AddressedChannel;
      readonly what: "attempt";
      readonly detail: AddressedDetail & Omit<AttemptDetail, keyof DeliveryDetail>;
    }
  | { readonly channel: AddressedChannel; readonly what: "delivered"; readonly detail: AddressedDetail & SentText }
  | {
      readonly channel: AddressedChannel;
      readonly what: "failed";
      readonly detail: AddressedDetail & {
        readonly reason: "address_refused" | "address_expired" | "address_deleted" | "account_disabled" | "outdated";
        readonly error: string | null;
      };
    }
  | { readonly channel: "phone"; readonly what: "reached"; readonly detail: CallDetail }
  /** Nothing had reached the account in time. */
  | { readonly channel: "mail"; readonly what: "notified"; readonly detail: MailDetail }
  | {
      readonly channel: "mail";
      /** `attempt`: no recipient was accepted. */
      readonly what: "mailed" | "attempt";
      readonly detail: MailDetail & {
        readonly refusedRecipients: number;
        /** null in mails of versions that did not store them. */
        readonly recipients: ReadonlyArray<Recipient & { readonly accepted: boolean; readonly reply?: string }> | null;
        /** As it was sent; null in mails of versions that did not store it. */
        readonly subject: string | null;
        readonly text: string | null;
      };
    }
  | {
      readonly channel: "mail";
      readonly what: "failed";
      readonly detail: MailDetail & {
        readonly reason: "no_contacts" | "kept" | "expired" | "outdated";
        readonly error: string | null;
      };
    }
  | { readonly channel: "personal"; readonly what: "notified"; readonly detail: PersonalDetail }
  | { readonly channel: "personal"; readonly what: "delivered"; readonly detail: PersonalDetail & SentText }
  | {
      readonly channel: "personal";
      readonly what: "failed";
      readonly detail: PersonalDetail & {
        readonly reason: "browser_gone" | "mail_refused" | "expired" | "outdated";
        readonly error: string | null;
      };
    };

/** An event between a dispatch and an account with dispatched sites. */
export type Evidence = Occurrence & {
  readonly at: Date;
  readonly accountId: string;
  /** The only site it concerns; null if the account has several in the dispatch. */
  readonly siteId: string | null;
};

/** Position of an item in time; the key distinguishes items of the same moment. */
export interface EvidencePlace {
  readonly at: Date;
  readonly key: string;
}

/** A state of a dispatch, from when participants could see it. */
export interface Revealed {
  readonly modificationNumber: number;
  readonly at: Date;
}

interface Revision extends Revealed {
  readonly authorized: boolean;
}

/**
 * The states of a dispatch that participants could see up to now. Of those before the notification time they see only
 * the last, and none if the dispatch was cancelled before it (G16). Of a record nobody was notified (G61).
 */
export const revealed = (
  { notification, isRecord }: Pick<Dispatch, "notification" | "isRecord">,
  revisions: readonly Revision[],
  now: Date,
): readonly Revealed[] => {
  if (isRecord) return [];
  const last = revisions.findLast(({ at }) => at < notification);
  const atNotification = last?.authorized === true ? [{ ...last, at: notification }] : [];
  const later = revisions.filter(({ at }) => at >= notification);
  return [...atNotification, ...later].filter(({ at }) => at <= now);
};
