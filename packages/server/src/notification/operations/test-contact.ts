import { e164 } from "../../access/domain/account.js";
import type { WordsFor } from "../../access/domain/language.js";
import type { AccountStore, ContactStore } from "../../access/operations/access-stores.js";
import type { Manager } from "../../access/operations/caller.js";
import type { Clock, NewId } from "../../platform/clock.js";
import { invalid, notFound, type Result } from "../../platform/refusal.js";
import type { PhoneChannel, PhoneHandover } from "../domain/phone-message.js";
import { testText } from "../domain/phone-text.js";
import { type MessageTests, refuseOften } from "./message-tests.js";
import type { PhoneGateway } from "./send-phone-messages.js";

export interface TestContactPorts {
  readonly stores: {
    readonly accounts: Pick<AccountStore, "find">;
    readonly contacts: Pick<ContactStore, "find">;
  };
  readonly clock: Clock;
  readonly newId: NewId;
  readonly wordsFor: WordsFor;
  readonly gateway: PhoneGateway;
  readonly messageTests: MessageTests;
  /** As whom the service speaks. */
  readonly serviceName: string;
}

const settings: Readonly<Record<PhoneChannel, string>> = { sms: "CURTAIL_SMS_URL", voice: "CURTAIL_VOICE_URL" };

/** Sends a test message to the phone of a contact now and returns the gateway's answer. */
export const testContact = async (
  { stores, clock, newId, wordsFor, gateway, messageTests, serviceName }: TestContactPorts,
  { within }: Manager,
  { id, channel }: { readonly id: string; readonly channel: PhoneChannel },
): Promise<Result<PhoneHandover>> => {
  const contact = await stores.contacts.find(id, within);
  if (contact === null) return notFound("contact");
  if (!gateway.channels.includes(channel))
    return invalid(`the operator has not set up ${channel === "sms" ? "SMS" : "voice calls"} (${settings[channel]})`);
  const to = contact.phone === null ? null : e164(contact.phone);
  if (to === null) return invalid("the contact has no international phone number such as +1 555 010 0200");
  const often = refuseOften(messageTests, id, clock.now());
  if (often !== null) return often;
  const account = await stores.accounts.find(contact.accountId);
  const words = wordsFor({ own: contact.language, account: account?.language ?? null });
  return gateway.send({
    id: newId("test"),
    channel,
    to,
    text: testText(words, channel, serviceName),
    language: words.language,
    kind: "test_message",
    accountId: contact.accountId,
    dispatchId: null,
    isTest: true,
  });
};
