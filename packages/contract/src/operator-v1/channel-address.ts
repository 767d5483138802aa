import Type, { type Static } from "typebox";
import { ADDRESS_CHARACTERS, MAX_CHANNEL_ADDRESSES, NAME_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { addressedChannels, addressForms } from "../lists/channels.js";
import { byId, id, moment, nullable, string, text } from "../values.js";
import { PageQuery, pageOf } from "./list.js";
import { requestOutcome, WebhookTest } from "./webhook.js";

const form = Type.Enum([...addressForms], {
  description: "What its receiver reads. For a channel with several forms, the first one unless it is given.",
  examples: ["slack"],
});

/** Where an account gets messages of a channel (the channel says what an address is). */
export const ChannelAddress = Type.Object(
  {
    id: id("channel_address"),
    channel: Type.Enum([...addressedChannels], { description: "Channel of its messages.", examples: ["chat"] }),
    name: string("Name that people gave it.", "Operations room"),
    form: nullable(form, "What its receiver reads; null for a channel with one form."),
    hint: string("Host and last characters of the address, which is never returned itself.", "hooks.slack.com …XXXX"),
    created_at: moment("When the address was added.", "created"),
    last_success_at: nullable(moment("When its receiver took a message last; null if it has taken none.", "notified")),
    last_error: nullable(string("Why its receiver did not take the last message; null if it took it.", "status_404")),
  },
  {
    $id: "ChannelAddress",
    description: "An address at which an account gets each dispatch and its changes, such as a chat room.",
  },
);
export type ChannelAddress = Static<typeof ChannelAddress>;

export const AddressTest = Type.Object(
  { ok: WebhookTest.properties.ok, ...requestOutcome },
  { $id: "AddressTest", description: "Outcome of a test message to an address." },
);
export type AddressTest = Static<typeof AddressTest>;

export const createChannelAddress = endpoint({
  id: "createChannelAddress",
  method: "POST",
  path: "/accounts/{id}/channel-addresses",
  once: "outside",
  tag: "Accounts",
  summary: "Add an address of a channel",
  description: `Sends a test message to the address, and adds it once the receiver has taken that. From then on it gets each dispatch of the account's sites and each change, at once. It must be reachable as webhooks are: over https, and not in a private network. An account may have ${MAX_CHANNEL_ADDRESSES} addresses.`,
  params: byId("account"),
  body: Type.Object({
    channel: ChannelAddress.properties.channel,
    name: text(NAME_CHARACTERS, "Name of the address for people.", "Operations room", 1),
    address: text(
      ADDRESS_CHARACTERS,
      "The address. On channel `chat`: that of an incoming webhook of Slack, Microsoft Teams or a service that reads what these read.",
      "https://hooks.slack.com/services/T000/B000/XXXX",
      1,
    ),
    form: Type.Optional(form),
  }),
  reply: ChannelAddress,
  status: 201,
});
export const listChannelAddresses = endpoint({
  id: "listChannelAddresses",
  method: "GET",
  path: "/accounts/{id}/channel-addresses",
  tag: "Accounts",
  summary: "List an account's addresses of channels",
  description: "Returns the addresses in the order in which they were added.",
  params: byId("account"),
  query: PageQuery,
  reply: pageOf(ChannelAddress),
});
export const testChannelAddress = endpoint({
  id: "testChannelAddress",
  method: "POST",
  path: "/channel-addresses/{id}/test",
  once: "outside",
  tag: "Accounts",
  summary: "Send a test message to an address",
  description: "Sends the message at once and returns the outcome. A failed test is not retried.",
  params: byId("channel_address"),
  reply: AddressTest,
});
export const deleteChannelAddress = endpoint({
  id: "deleteChannelAddress",
  method: "DELETE",
  path: "/channel-addresses/{id}",
  tag: "Accounts",
  summary: "Remove an address",
  description: "It gets nothing more: messages that wait are dropped, and the evidence says so.",
  params: byId("channel_address"),
  status: 204,
});
