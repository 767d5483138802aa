import type { operator } from "@curtail/contract";
import { dueWords } from "@curtail/contract/lists/channels";
import { say } from "@curtail/words/page";
import { endingWords } from "./webhook-outcome.js";

type Evidence = operator.Evidence;

const words: Readonly<Record<Evidence["what"], string>> = {
  notified: "visible",
  attempt: "attempt",
  delivered: "delivered",
  failed: "failed",
  polled: "polled",
  fetched: "fetched",
  viewed: say("read on its page"),
  acknowledged: "acknowledged",
  mailed: "mailed",
  handed_over: say("handed over"),
  reached: "notified",
};

/** Names of events. */
export const evidenceWords = ({ what, channel, detail }: Evidence): string =>
  `${(what === "notified" ? dueWords(channel) : undefined) ?? words[what]}${detail.after_end === true ? " after the end" : ""}`;

/** Contacts whose email was handed over: `Night shift <night@mills.example>`; null if unknown. */
export const recipientWords = ({ recipients }: Evidence["detail"]): string | null =>
  recipients === undefined
    ? null
    : recipients
        .map(({ name, email, accepted }) => `${name} <${email}>${accepted ? "" : " (refused by the mail server)"}`)
        .join(", ");

/** Who a message was for: `Night shift, +15550100200`, or the name of an address; null if it was none. */
export const recipientOf = ({ name, phone }: Evidence["detail"]): string | null =>
  name === undefined && phone === undefined ? null : [name, phone].filter((part) => part !== undefined).join(", ");

/** Who was notified in person: `Ana Lopez in Firefox on Android`; null if it was not in person. */
export const personWords = ({ user_name, sent_by, browser }: Evidence["detail"]): string | null =>
  user_name === undefined
    ? null
    : sent_by === undefined
      ? user_name
      : `${user_name} ${sent_by === "mail" ? say("by mail") : `in ${browser ?? say("a browser")}`}`;

/** Why a notification failed. */
export const reasonWords: Readonly<Record<NonNullable<Evidence["detail"]["reason"]>, string>> = {
  attempts_failed: say("every attempt failed"),
  address_deleted: say("the address was removed first"),
  webhook_deleted: say("the webhook was deleted first"),
  subscription_deleted: say("the subscription was deleted first"),
  account_disabled: say("the account was disabled first"),
  no_contacts: say("the account has no dispatch contact"),
  kept: say("no mail server is set up"),
  expired: say("no mail server accepted the mail within a day"),
  gateway_refused: say("the gateway refused the message"),
  gateway_expired: say("the gateway did not take the message within six hours"),
  address_refused: say("the receiver refused the message"),
  address_expired: say("the receiver did not take the message within six hours"),
  not_polled: "the VEN missed three polls",
  not_acknowledged: "the VEN did not answer within 2 minutes",
  reply_limit: "the VEN limited its reply to fewer events",
  ven_error: "the VEN answered with an error",
  browser_gone: say("the browser is no longer registered"),
  mail_refused: say("the mail server refused the address"),
  outdated: say("delivery was held after a restore until the dispatch was over"),
};

/** Further details of an event. */
export const evidenceDetail = ({ detail }: Evidence): string => {
  const {
    modification_number,
    url,
    ven_id,
    client_name,
    operating_state,
    opt,
    response_code,
    number,
    duration_ms,
    reason,
    person,
  } = detail;
  const parts = [
    person,
    url,
    recipientOf(detail),
    ven_id,
    client_name,
    modification_number === undefined ? null : modification_number === 0 ? "original" : `change ${modification_number}`,
    opt === undefined ? null : opt === "optIn" ? "opted in" : "opted out",
    operating_state,
    response_code === undefined ? null : `answered ${response_code}`,
    number === undefined ? null : `attempt ${number}`,
    typeof detail.status === "number" || typeof detail.error === "string" ? endingWords(detail) : null,
    duration_ms === undefined ? null : `${duration_ms} ms`,
    reason === undefined ? null : reasonWords[reason],
    recipientWords(detail),
    personWords(detail),
  ];
  return parts.filter((part) => part !== null && part !== undefined).join(", ");
};
