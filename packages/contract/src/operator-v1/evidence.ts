import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { evidenceKinds } from "../lists/channel-evidence.js";
import { channelNames } from "../lists/channels.js";
import { tableFiles } from "../v2022-04-15/performance.js";
import { fileFormat } from "../v2022-04-15/report.js";
import { WebhookEventName, WebhookUrl } from "../v2022-04-15/webhook.js";
import { boolean, byId, id, integer, moment, moments, nullable, string } from "../values.js";
import { actor, actorName } from "./dispatch.js";
import { PageQuery, pageOf } from "./list.js";
import { phoneCall } from "./phone-call.js";
import { requestOutcome } from "./webhook.js";

const MailRecipient = Type.Object(
  {
    name: string("Name of the contact.", "Ana Lopez"),
    email: string("Email address of the contact.", "ana@example.com"),
    accepted: boolean("Whether the mail server accepted the mail for this address.", true),
    reply: Type.Optional(
      string(
        "Why it did not: the reply of the mail server. One that begins with 4 is tried again.",
        "451 try again later",
      ),
    ),
  },
  { $id: "MailRecipient", description: "A contact that a mail was sent to." },
);

const EvidenceDetail = Type.Partial(
  Type.Object({
    modification_number: integer("Modification of the dispatch that was sent, or that the entry is about.", 1),
    webhook_id: id("webhook", "Webhook that is notified."),
    url: Type.String({
      ...WebhookUrl,
      description: "Address of the webhook; on channel `openadr3`, callback of the subscription.",
    }),
    delivery_id: Type.String({
      description: "Identifier of the delivery: the `webhook-id` of its requests, or of a callback of OpenADR 3.",
      examples: ["dlv_5d1f0a7c93e84b62a0f4c8d217b6e935", "odl_0c4b7d1e9f2a4a63b8d5e7f1029c3b64"],
    }),
    ven: id("ven", "Channel `openadr`: VEN of the account."),
    ven_id: string("Channel `openadr`: the VEN's own id.", "store-12"),
    client_id: id("openadr3_client", "Channel `openadr3`: client of the account."),
    client_name: string("Channel `openadr3`: name of the client at the time of the notice.", "Store 12 gateway"),
    event_id: string("Channel `openadr3`: event of the dispatch for this client.", "oae_7w3e9r2t5y8u"),
    operation: Type.Enum(["CREATE", "UPDATE", "DELETE"], {
      description:
        "Channel `openadr3`: how this modification of the dispatch changed the event. `DELETE`: the dispatch was cancelled.",
      examples: ["UPDATE"],
    }),
    report_id: string("Channel `openadr3`: report of the operating state.", "oar_2q5w8e1r4t7y"),
    operating_state: string("Channel `openadr3`: operating state that the VEN reported.", "RUNNING_CURTAILED"),
    resource_names: Type.Array(Type.String(), {
      description: "Channel `openadr3`: resources that the report names.",
      examples: [["store-12"]],
    }),
    site_ids: Type.Array(id("site"), {
      description:
        "`notified` on channel `openadr`: the dispatched sites that the VEN represented; absent if it represented all sites of the account. On channel `openadr3`: those that the event is for.",
    }),
    poll_interval_seconds: integer("`notified` on channel `openadr`: polling interval of the VEN, in seconds.", 60),
    poll_by: moment("`notified` on channel `openadr`: when the VEN's poll was due at the latest."),
    after_end: boolean(
      "`polled`, `fetched`, `viewed` and `acknowledged`: `true` if the dispatch was already over, so that this does not count as success; otherwise absent.",
      true,
    ),
    opt: Type.Enum(["optIn", "optOut"], { description: "`acknowledged`: whether the VEN participates." }),
    response_code: string(
      "Response code of the VEN: usually 200 when it acknowledges, an error code for `ven_error`.",
      "200",
    ),
    person: phoneCall.person,
    note: phoneCall.note,
    by: actor,
    by_name: actorName,
    mail_id: id("mail", "Mail to the contacts of the account."),
    event: WebhookEventName,
    notice_id: string("Channel `personal`: the notification of one person.", "pnt_5d1f0a7c93e84b62a0f4c8d217b6e935"),
    user_id: id("user", "Channel `personal`: the person who was notified. `viewed`: the person who read it."),
    user_name: string("Channel `personal`, and `viewed`: name of the person at that time.", "Ana Lopez"),
    sent_by: Type.Enum(["mail", "push"], {
      description: "Channel `personal`: by mail, or by a notification in a browser.",
      examples: ["push"],
    }),
    browser: string("Channel `personal`: name of the browser; absent for mail.", "Firefox on Android"),
    number: integer("Number of the attempt, counting resends.", 1),
    ...requestOutcome,
    refused_recipients: integer("Number of contacts whose address the mail server refused.", 0),
    recipients: Type.Array(MailRecipient, {
      description: "`mailed`, and `attempt` on channel `mail`: the contacts at that time. Absent in old mails.",
    }),
    subject: string(
      "`mailed`: subject of the mail as it was sent. Absent in old mails.",
      "Curtail 50 kW from 14:00: Peak",
    ),
    text: string(
      "`mailed`, `handed_over`, and `delivered` on channel `personal` and those with addresses: text as it was sent. Absent if it is older than this member.",
      "A dispatch of your sites has been issued.",
    ),
    message_id: string(
      "Channels `sms` and `voice`, and those with addresses, such as `chat`: identifier of the message.",
      "msg_7c1e9f30b54d4a2f8e6d0a93c5b27f14",
    ),
    name: string(
      "Channels `sms` and `voice`: name of the contact at that time; on channels with addresses, that of the address.",
      "Ana Lopez",
    ),
    address_id: id("channel_address", "Channels with addresses: address that the message is for."),
    phone: string("Channels `sms` and `voice`: phone number of the contact, international.", "+15550100200"),
    gateway_id: nullable(
      string("`handed_over`: identifier that the gateway gave the message; null if it gave none.", "SM2f4c8e6a"),
    ),
    reason: Type.Enum(
      [
        "attempts_failed",
        "webhook_deleted",
        "address_deleted",
        "subscription_deleted",
        "account_disabled",
        "no_contacts",
        "kept",
        "expired",
        "gateway_refused",
        "gateway_expired",
        "address_refused",
        "address_expired",
        "not_polled",
        "not_acknowledged",
        "reply_limit",
        "ven_error",
        "browser_gone",
        "mail_refused",
        "outdated",
      ],
      {
        description:
          "Reason of `failed`. `attempts_failed`: all attempts of the delivery, push or callback failed. `webhook_deleted`, `address_deleted`, `subscription_deleted`, `account_disabled`: this happened before the delivery. `no_contacts`: the account has no contacts. `kept`: no mail server is configured. `expired`: no mail server accepted the mail within a day; on channel `personal`, the push service or mail server did not accept the notification within a day. `gateway_refused`: the gateway will not take the message. `gateway_expired`: the gateway did not take it within six hours. `address_refused`, `address_expired`: the same of the receiver at an address. `not_polled`: the VEN missed three polling intervals. `not_acknowledged`: the VEN did not answer within 2 minutes. `reply_limit`: the VEN requested fewer events than there were. `ven_error`: the VEN answered with an error, which does not acknowledge the event. `browser_gone`: the browser discarded its registration. `mail_refused`: the mail server refused the address for good. `outdated`: delivery was held after a restore, and the dispatch was over when it was released.",
      },
    ),
  }),
  {
    $id: "EvidenceDetail",
    description: "Details of the entry. Which members are present depends on `channel` and `what`.",
    examples: [
      {
        webhook_id: "wh_8u3i6o1p4a7s",
        url: "https://example.com/hooks",
        delivery_id: "dlv_5d1f0a7c93e84b62a0f4c8d217b6e935",
        event: "dispatch.create",
        number: 1,
        status: 200,
        duration_ms: 84,
        address: "203.0.113.20",
        error: null,
      },
      { modification_number: 1, ven_id: "store-12", poll_interval_seconds: 60, poll_by: moments.now },
    ],
  },
);

/** One entry of the record of how a dispatch reached an account. */
export const Evidence = Type.Object(
  {
    at: moment("When it happened.", "notified"),
    account_id: id("account", "Account that was notified, or that read the dispatch."),
    site_id: Type.Optional(id("site", "Site of the entry; absent if it concerns several sites of the account.")),
    channel: Type.Enum([...channelNames], {
      description:
        "Channel of the notification. `openadr`: OpenADR 2.0a; `openadr3`: OpenADR 3.1. `personal`: a mail or push notification to a person who chose to be notified, which does not count as notifying the account.",
      examples: ["webhook"],
    }),
    what: Type.Enum([...evidenceKinds], {
      description:
        "What happened. `notified`: the dispatch, or its change, became visible to the account; on channel `mail`, no other channel succeeded in time and mail to the contacts is due; on channels `sms` and `voice`, a message to a contact is due; on channels with addresses, such as `chat`, a message to an address is. `attempt`: a request to a webhook, VEN, callback or address was sent; on channel `mail`, the mail server accepted the mail for no contact. `delivered`, `failed`: a delivery or mail ended; on channel `openadr`, `delivered` is the first push to the VEN. `polled`, `fetched`: the first list, or the first GET /dispatches/{id}, that returned this modification; on channels `openadr` and `openadr3`, the first poll that did, or on `openadr3` the first list that showed by leaving the event out that the dispatch is cancelled or over. `viewed`: a signed-in person of the account read this modification on its page. `acknowledged`: a VEN acknowledged it; on channel `openadr3`, it reported its operating state. `mailed`: a mail was handed over for at least one contact; each recipient has the answer of the mail server. `handed_over`: on channels `sms` and `voice`, the gateway accepted the message. `reached`: an operator recorded that a person of the account was reached by phone. On channel `personal`, `delivered`: the push service or mail server accepted the notification, whether or not somebody has seen it.",
      examples: ["attempt"],
    }),
    detail: EvidenceDetail,
  },
  { $id: "Evidence", description: "An entry of the record of how a dispatch reached an account." },
);
export type Evidence = Static<typeof Evidence>;

const filters = {
  account_id: Type.Optional(id("account", "Only entries of this account.")),
  site_id: Type.Optional(id("site", "Only entries of this site's account.")),
};

export const listEvidence = endpoint({
  id: "listEvidence",
  method: "GET",
  path: "/dispatches/{id}/evidence",
  tag: "Dispatches",
  summary: "List the evidence of a dispatch, oldest first",
  description:
    "Returns who was notified of the dispatch, when, over which channel and with what outcome. Accounts are notified, not sites: the evidence of a site is that of its account. Reads are recorded the first time for each modification.",
  params: byId("dispatch"),
  query: Type.Object({
    ...PageQuery.properties,
    ...filters,
  }),
  reply: pageOf(Evidence),
});

export const downloadEvidence = endpoint({
  id: "downloadEvidence",
  method: "GET",
  path: "/dispatches/{id}/evidence/download",
  tag: "Dispatches",
  summary: "Download the evidence of a dispatch as a file",
  description:
    "One row per entry of GET /dispatches/{id}/evidence, oldest first: dispatch_id, account_id, account_name, site_id, at, local_time, channel, what, modification_number, after_end, number, status, address, url, ven_id, opt, reason, error, recipients, detail. `ven_id` is the name of the client on channel `openadr3`; `local_time` is in the time zone of the program, with its offset; `detail` is all of it as JSON. In CSV, an apostrophe precedes texts that a spreadsheet would take for a formula.",
  params: byId("dispatch"),
  query: Type.Object({ ...filters, format: fileFormat }),
  files: tableFiles,
});
