import { type AddressedChannel, type Channel, isAddressed } from "./channels.js";

/** What happens on a channel, as evidence names it. */
export const evidenceKinds = [
  "notified",
  "attempt",
  "delivered",
  "failed",
  "polled",
  "fetched",
  "viewed",
  "acknowledged",
  "mailed",
  "handed_over",
  "reached",
] as const;

type Kinds = readonly (typeof evidenceKinds)[number][];
/** A line of the table in `docs/admin.md`, in Markdown. */
type Line = readonly [Kinds, meaning: string];

const toPhones: readonly Line[] = [
  [["notified"], "a message to a contact who asked for it is due; a later one may replace it"],
  [["handed_over"], "the [gateway](gateway.md) accepted the message; the detail has its id"],
  [["failed"], "the gateway refused the message, or did not take it within six hours"],
];

const toAddresses: readonly Line[] = [
  [["notified"], "a message to an [address](chat.md) of the account is due; a later one may replace it"],
  [["attempt"], "the message was sent; the detail has the outcome"],
  [["delivered", "failed"], "the receiver took the message, or it was given up"],
];

const lines = {
  rest: [
    [["notified"], "the dispatch or its change became visible to the account"],
    [["polled", "fetched"], "a response of GET /dispatches, or of GET /dispatches/{id}, first contained it"],
    [["viewed"], "a signed-in person of the account read it on its page"],
  ],
  webhook: [
    [["notified"], "the delivery to a webhook was queued"],
    [["attempt"], "a request was sent; the detail has its outcome"],
    [["delivered", "failed"], "a delivery succeeded, or failed for good"],
  ],
  openadr: [
    [["notified"], "it became visible to a VEN of the account; the detail has its interval and its deadline"],
    [["polled"], "a response to a poll first contained it"],
    [["attempt"], "a push was sent to the VEN; the detail has the outcome"],
    [["delivered"], "a push succeeded"],
    [["acknowledged"], "the VEN acknowledged it; the detail has its opt"],
    [["failed"], "the VEN did not poll or acknowledge in time, its replyLimit omitted the event, or pushes failed"],
  ],
  openadr3: [
    [["notified"], "a VEN of OpenADR 3 could see it; the detail has its event, its sites and the operation"],
    [["polled"], "an answer first contained the event in this state, or a list first showed that it is gone"],
    [["attempt"], "a callback was sent; the detail has its outcome"],
    [
      ["delivered", "failed"],
      "the callback accepted it, or was given up; `failed` is also an error that the VEN reported",
    ],
    [["acknowledged"], "the VEN reported its operating state; the detail has it, and its opt"],
  ],
  mail: [
    [["notified"], "no channel reached the account in time: mail to its contacts is due"],
    [["mailed"], "the mail server accepted the mail for some contacts; the detail has the answer for each"],
    [["attempt"], "the mail server accepted the mail for no contact"],
    [["failed"], "no mail could be sent; the detail has the reason"],
  ],
  sms: toPhones,
  voice: toPhones,
  personal: [
    [["notified"], "a notice to a person who chose to be notified is due; it does not count as notifying the account"],
    [["delivered"], "the push service or the mail server accepted it"],
    [["failed"], "it was not accepted within a day, or its browser is gone"],
  ],
  phone: [[["reached"], "an operator recorded that somebody was reached by phone; only operators see the note"]],
} as const satisfies Readonly<Record<Exclude<Channel, AddressedChannel>, readonly Line[]>>;

/** What evidence has of a channel. */
export const channelEvidence = (channel: Channel): readonly Line[] =>
  isAddressed(channel) ? toAddresses : lines[channel];
