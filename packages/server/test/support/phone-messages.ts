import { type BodyOf, operator } from "@curtail/contract";
import { type Gateway, gateway } from "@curtail/testing/gateway";
import { newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";

export const TOKEN = "token-of-the-gateway";

export let phones: Gateway;
export let service: Running;

export const prepare = async () => {
  phones = await gateway();
  service = await running({
    CURTAIL_SMS_URL: phones.url,
    CURTAIL_VOICE_URL: `${phones.url}/calls`,
    CURTAIL_GATEWAY_TOKEN: TOKEN,
  });
};
export const clearEach = () => {
  phones.answer = 202;
};

let count = 0;
export const newNumber = (): string => `+1 555 010 ${String(++count).padStart(4, "0")}`;

export const addContact = (account: Participant, body: Partial<BodyOf<typeof operator.createContact>>, on = service) =>
  on.made(operator.createContact, {
    params: { id: account.accountId },
    body: { name: "Ana Lopez", email: "ana@example.com", ...body },
  });

/** An account with a contact, and a program of its site. */
export const called = async (contact: Partial<BodyOf<typeof operator.createContact>> = {}, on = service) => {
  const account = await on.newParticipant();
  const phone = newNumber();
  const { id: contactId } = await addContact(account, { phone, sms: true, ...contact }, on);
  return { account, phone, contactId, programId: await newProgram(on, [account]) };
};

export const states = async (dispatchId: string, on = service) => {
  const sql =
    "select event, channel, state, failures from messages where subject = $1 and channel in ('sms', 'voice') order by seq";
  return (await on.database.pool.query(sql, [dispatchId])).rows;
};

export const sms = (state: string, failures = 0, event = "dispatch.create") => ({
  event,
  channel: "sms",
  state,
  failures,
});

export const textsOf = (id: string): string[] => phones.about(id).map(({ message }) => message.text);

export const evidenceOf = async (id: string) =>
  (await service.made(operator.listEvidence, { params: { id } })).items.filter(({ channel }) =>
    ["sms", "voice"].includes(channel),
  );
