import { operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { expect } from "vitest";
import { alarmsAbout, judgeOnce } from "./alarms.js";
import { newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";
import { mailRows } from "./unreachable.js";

// G62: each recipient of a mail is a delivery of its own.
export let inbox: Mailbox;
export let service: Running;

export const prepare = async () => {
  inbox = await mailbox();
  service = await running({
    CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example&replyTo=desk@operator.example`,
  });
};

let accounts = 0;

interface Account {
  readonly participant: Participant;
  readonly programId: string;
  /** Addresses of its contacts: `a@` and `b@` a domain of its own. */
  readonly a: string;
  readonly b: string;
  readonly contactIds: Readonly<Record<string, string>>;
}

/** An account that only mail reaches, with two contacts. */
export const account = async (): Promise<Account> => {
  accounts += 1;
  const participant = await service.newParticipant();
  const [a, b] = [`a@mills-${accounts}.example`, `b@mills-${accounts}.example`];
  const contactIds: Record<string, string> = {};
  for (const email of [a, b]) contactIds[email] = await addContact(participant, email);
  return { participant, programId: await newProgram(service, [participant]), a, b, contactIds };
};

export const addContact = async ({ accountId }: Participant, email: string): Promise<string> =>
  (await service.made(operator.createContact, { params: { id: accountId }, body: { name: `Ana, ${email}`, email } }))
    .id;

/** How many mails about the dispatch an address has. */
export const taken = (id: string, email: string): number =>
  inbox.received.filter(({ content, to }) => content.includes(id) && to.includes(email)).length;

/** Until the mail's row has this many failures. */
export const failed = (id: string, failures: number) =>
  expect.poll(async () => (await mailRows(service, id)).map((mail) => mail.failures)).toEqual([failures]);

export const openAlarms = async (id: string | undefined) => {
  await judgeOnce(service);
  return alarmsAbout(service, { kind: "contact_refused", id: id ?? "" });
};
