import { operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { expect } from "vitest";
import { newProgram } from "./dispatching.js";
import { lookOnce } from "./owed.js";
import { type Participant, type Running, running } from "./running.js";
import { mailRows, poll } from "./unreachable.js";
import { listeningToVens, type Vens } from "./vens.js";

// G45: from the notification on, every dispatched account is owed a first success, else a mail.
export let inbox: Mailbox;
export let service: Running;
export let vens: Vens;

export const prepare = async () => {
  inbox = await mailbox();
  service = await running({ CURTAIL_SMTP_URL: inbox.url });
  vens = await listeningToVens(service);
};

interface Dispatched {
  readonly participant: Participant;
  readonly programId: string;
}

/** An account with a contact, and a program of its sites. */
export const reachable = async (): Promise<Dispatched> => {
  const participant = await service.newParticipant();
  const contact = { name: "Anna", email: "anna@mills.example" };
  await service.made(operator.createContact, { params: { id: participant.accountId }, body: contact });
  return { participant, programId: await newProgram(service, [participant]) };
};

export const change = (id: string, body: object) => service.made(operator.changeDispatch, { params: { id }, body });
export const states = async (id: string) =>
  (await mailRows(service, id)).map(({ event, state }) => `${event} ${state}`);
export const mailed = (id: string, ...expected: string[]) => poll(() => states(id), expected);
export const notMailed = async (id: string): Promise<void> => {
  await lookOnce(service);
  expect(await states(id)).toEqual([]);
};
export const created = "dispatch.create sent";
export const updated = "dispatch.update sent";
