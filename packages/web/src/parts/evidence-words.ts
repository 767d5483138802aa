import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { browserWords } from "../rules/browser-name.js";
import { endingWords } from "./webhook-outcome.js";

type Evidence = operator.Evidence;

const words: Readonly<Record<Evidence["what"], string>> = {
  notified: say("visible", {}, "evidence"),
  attempt: say("attempt", {}, "evidence"),
  delivered: say("delivered", {}, "evidence"),
  failed: say("failed", {}, "evidence"),
  polled: say("polled", {}, "evidence"),
  fetched: say("fetched", {}, "evidence"),
  viewed: say("read on its page", {}, "evidence"),
  acknowledged: say("acknowledged", {}, "evidence"),
  mailed: say("mailed", {}, "evidence"),
  handed_over: say("handed over", {}, "evidence"),
  reached: say("notified", {}, "evidence"),
};

/** Names of events. */
export const evidenceWords = ({ what, channel, detail }: Evidence): string =>
  detail.after_end === true
    ? say("{what} after the end", { what: eventWords(what, channel) })
    : eventWords(what, channel);

const eventWords = (what: Evidence["what"], channel: Evidence["channel"]): string =>
  (what === "notified" ? due[channel] : undefined) ?? words[what];

/** Of a notice that is yet to be sent; none where the account can see it from then on. */
const due: Readonly<Partial<Record<Evidence["channel"], string>>> = {
  webhook: say("to be sent"),
  mail: say("to be mailed"),
  sms: say("to be sent"),
  voice: say("to be called"),
  chat: say("to be posted"),
  personal: say("to be sent"),
};

/** Contacts whose email was handed over: `Night shift <night@mills.example>`; null if unknown. */
export const recipientWords = ({ recipients }: Evidence["detail"]): string | null =>
  recipients === undefined
    ? null
    : recipients
        .map(({ name, email, accepted }) =>
          accepted
            ? `${name} <${email}>`
            : say("{recipient} (refused by the mail server)", { recipient: `${name} <${email}>` }),
        )
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
      : sent_by === "mail"
        ? say("{person} by mail", { person: user_name })
        : browser === undefined
          ? say("{person} in a browser", { person: user_name })
          : say("{person} in {browser}", { person: user_name, browser: browserWords(browser) });

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
  not_polled: say("the VEN missed three polls"),
  not_acknowledged: say("the VEN did not answer within 2 minutes"),
  reply_limit: say("the VEN limited its reply to fewer events"),
  ven_error: say("the VEN answered with an error"),
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
    modification_number === undefined
      ? null
      : modification_number === 0
        ? say("original", {}, "dispatch")
        : say("change {n}", { n: modification_number }, "of a dispatch"),
    opt === undefined ? null : opt === "optIn" ? say("opted in") : say("opted out"),
    operating_state,
    response_code === undefined ? null : say("answered {status}", { status: response_code }),
    number === undefined ? null : say("attempt {n}", { n: number }),
    typeof detail.status === "number" || typeof detail.error === "string" ? endingWords(detail) : null,
    duration_ms === undefined ? null : `${duration_ms} ms`,
    reason === undefined ? null : reasonWords[reason],
    recipientWords(detail),
    personWords(detail),
  ];
  return parts.filter((part) => part !== null && part !== undefined).join(", ");
};
