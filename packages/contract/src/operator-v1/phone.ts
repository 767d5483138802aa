import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { boolean, byId, nullable, string } from "../values.js";

export const PhoneChannels = Type.Object(
  {
    sms: boolean("Whether the service can send SMS.", true),
    voice: boolean("Whether the service can make voice calls.", false),
  },
  { $id: "PhoneChannels", description: "Phone channels for which the operator has set up a gateway." },
);
export type PhoneChannels = Static<typeof PhoneChannels>;

export const PhoneTest = Type.Object(
  {
    ok: boolean("`true`: the gateway accepted the message. Whether it arrives is for the person to say.", true),
    gateway_id: nullable(string("Identifier that the gateway gave the message; null if it gave none.", "SM2f4c8e6a")),
    error: nullable(string("What went wrong; null for success.", "status_500")),
  },
  { $id: "PhoneTest", description: "Outcome of a test message." },
);
export type PhoneTest = Static<typeof PhoneTest>;

export const getPhoneChannels = endpoint({
  id: "getPhoneChannels",
  method: "GET",
  path: "/phone-channels",
  tag: "Accounts",
  summary: "Retrieve the phone channels that are set up",
  description: "Contacts may choose a channel that is not set up; they get messages on it once it is.",
  reply: PhoneChannels,
});
export const testContact = endpoint({
  id: "testContact",
  method: "POST",
  path: "/contacts/{id}/test",
  once: "outside",
  tag: "Accounts",
  summary: "Send a test message to the phone of a contact",
  description:
    "Sends the message at once, whether or not the contact has chosen the channel, and returns the gateway's answer. A failed test is not retried. A channel that is not set up, or a phone number that is not international, gets 400; more than 5 messages to a contact within a minute get 429.",
  params: byId("contact"),
  body: Type.Object({
    channel: Type.Enum(["sms", "voice"], { description: "Channel of the message.", examples: ["sms"] }),
  }),
  reply: PhoneTest,
});
