import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { webhookEvents } from "../v2022-04-15/webhook.js";
import { id, Timestamp } from "../values.js";
import { byId, PageQuery, pageOf } from "./list.js";
import { requestOutcome } from "./webhook.js";

const MailRecipient = Type.Object(
  {
    name: Type.String({ description: "Name of the contact." }),
    email: Type.String({ description: "Address of the contact." }),
    accepted: Type.Boolean({ description: "Whether the mail server took the mail for this address." }),
  },
  { $id: "MailRecipient" },
);

const EvidenceDetail = Type.Partial(
  Type.Object({
    modification_number: Type.Integer({
      description: "Which state of the dispatch; of the channels rest and openadr.",
    }),
    webhook_id: id("webhook", "Webhook that is told."),
    url: Type.String({ description: "Address of the webhook." }),
    delivery_id: id("delivery", "Delivery id: the webhook-id header of its requests."),
    ven: id("ven", "VEN of the account; of channel openadr."),
    ven_id: Type.String({ description: "The name that the VEN goes by." }),
    site_ids: Type.Array(Type.String(), {
      description:
        "Of notified, on channel openadr: the dispatched sites that the VEN stood for then; absent where it stood for all of the account's.",
    }),
    poll_interval_seconds: Type.Integer({ description: "Of notified, on channel openadr: the VEN's interval then." }),
    poll_by: { ...Timestamp, description: "Of notified, on channel openadr: by when the VEN had to poll." },
    after_end: Type.Boolean({
      description:
        "Of polled, fetched and acknowledged: true where the dispatch was over by then, so that it acknowledges nothing; absent otherwise.",
    }),
    opt: Type.Enum(["optIn", "optOut"], { description: "Of acknowledged: whether the VEN takes part." }),
    response_code: Type.String({
      description: "The VEN's own code. Of acknowledged: 200 as a rule; of the reason ven_error: what it could not do.",
    }),
    mail_id: id("mail", "Mail to the account's contacts."),
    event: Type.Enum([...webhookEvents]),
    number: Type.Integer({ description: "Of an attempt; resends count too." }),
    ...requestOutcome,
    refused_recipients: Type.Integer({ description: "Contacts whose address the mail server refused." }),
    recipients: Type.Array(MailRecipient, {
      description: "Of mailed: the contacts that the mail was handed over for, as they were then; absent in old mails.",
    }),
    reason: Type.Enum(
      [
        "attempts_failed",
        "webhook_deleted",
        "account_disabled",
        "no_contacts",
        "kept",
        "expired",
        "not_polled",
        "not_acknowledged",
        "reply_limit",
        "ven_error",
      ],
      {
        description:
          "Of failed. attempts_failed: every attempt of the delivery, or push, failed; webhook_deleted, account_disabled: before it was delivered; no_contacts: the account has none to mail; kept: no mail server is set; expired: no mail server took the mail for a day; not_polled: the VEN let three of its intervals pass; not_acknowledged: it did not answer within 2 minutes; reply_limit: it asked for fewer events than there were; ven_error: it answered with an error, which is no acknowledgement.",
      },
    ),
  }),
  { $id: "EvidenceDetail", description: "What there is to say depends on channel and what." },
);

/** One thing that happened between a dispatch and an account it calls. */
export const Evidence = Type.Object(
  {
    at: Timestamp,
    account_id: id("account", "Account that was told, or read."),
    site_id: Type.Optional(id("site", "The site that it concerns; absent where it concerns several of the account's.")),
    channel: Type.Enum(["rest", "webhook", "openadr", "mail"]),
    what: Type.Enum(["notified", "attempt", "delivered", "failed", "polled", "fetched", "acknowledged", "mailed"], {
      description:
        "notified: from now on the account could see the dispatch, or its change; of mail, nothing had reached the account in time, so that its contacts are to be mailed; attempt: one request to a webhook, at its beginning; delivered, failed: the end of a delivery or mail; polled, fetched: the first list, or the first answer of GET /dispatches/{id}, that carried this modification to the account; acknowledged: a VEN confirmed it; of openadr, polled is the first poll that carried this modification to the VEN, delivered the first push; mailed: the mail server took the mail.",
    }),
    detail: EvidenceDetail,
  },
  { $id: "Evidence" },
);
export type Evidence = Static<typeof Evidence>;

export const listEvidence = endpoint({
  id: "listEvidence",
  method: "GET",
  path: "/dispatches/{id}/evidence",
  tag: "Dispatches",
  summary: "List who was told of a dispatch, when and how; oldest first",
  description:
    "Accounts are told, not sites: the evidence of a site is that of its account. What participants read is recorded the first time for each modification.",
  params: byId,
  query: Type.Object({
    ...PageQuery.properties,
    account_id: Type.Optional(Type.String({ description: "Only of this account." })),
    site_id: Type.Optional(Type.String({ description: "Only of this site's account." })),
  }),
  reply: pageOf(Evidence),
});
