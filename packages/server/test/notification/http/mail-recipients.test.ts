import { operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { beforeAll, describe, expect, test } from "vitest";
import { alarmsAbout, judgeOnce } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { recorded } from "../../support/recorded.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { mailRows, poll } from "../../support/unreachable.js";

// G62: each recipient of a mail is a delivery of its own.
let inbox: Mailbox;
let service: Running;

beforeAll(async () => {
  inbox = await mailbox();
  service = await running({
    CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example&replyTo=desk@operator.example`,
  });
});

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
const account = async (): Promise<Account> => {
  accounts += 1;
  const participant = await service.newParticipant();
  const [a, b] = [`a@mills-${accounts}.example`, `b@mills-${accounts}.example`];
  const contactIds: Record<string, string> = {};
  for (const email of [a, b]) contactIds[email] = await addContact(participant, email);
  return { participant, programId: await newProgram(service, [participant]), a, b, contactIds };
};

const addContact = async ({ accountId }: Participant, email: string): Promise<string> =>
  (await service.made(operator.createContact, { params: { id: accountId }, body: { name: `Ana, ${email}`, email } }))
    .id;

/** How many mails about the dispatch an address has. */
const taken = (id: string, email: string): number =>
  inbox.received.filter(({ content, to }) => content.includes(id) && to.includes(email)).length;

/** Until the mail's row has this many failures. */
const failed = (id: string, failures: number) =>
  expect.poll(async () => (await mailRows(service, id)).map((mail) => mail.failures)).toEqual([failures]);

const openAlarms = async (id: string | undefined) => {
  await judgeOnce(service);
  return alarmsAbout(service, { kind: "contact_refused", id: id ?? "" });
};

describe("a recipient that is greylisted", () => {
  test("is tried again until it is taken, and the other is not mailed twice", async () => {
    const { programId, a, b, contactIds } = await account();
    inbox.greylisted.set(a, 2);
    const { id } = await newDispatch(service, programId);
    await failed(id, 1);
    expect([taken(id, a), taken(id, b)]).toEqual([0, 1]);
    expect(await mailRows(service, id)).toMatchObject([{ state: "sent" }]);
    service.clock.advance({ seconds: 10 });
    await failed(id, 2);
    service.clock.advance({ seconds: 30 });
    await expect.poll(() => taken(id, a)).toBe(1);
    service.clock.advance({ minutes: 20 });
    expect(await openAlarms(contactIds[a])).toEqual([]);
    expect([taken(id, a), taken(id, b)]).toEqual([1, 1]);
  });

  test("and corrected meanwhile gets it at the new address only", async () => {
    const { participant, programId, a, b, contactIds } = await account();
    inbox.greylisted.set(a, 100);
    const { id } = await newDispatch(service, programId);
    await failed(id, 1);
    await service.made(operator.deleteContact, { params: { id: contactIds[a] ?? "" } });
    await addContact(participant, `new-${a}`);
    service.clock.advance({ seconds: 10 });
    await expect.poll(() => taken(id, `new-${a}`)).toBe(1);
    expect([taken(id, a), taken(id, b)]).toEqual([0, 1]);
  });

  test("is not tried again for the earlier state once the dispatch changed: it gets the new one", async () => {
    const { programId, a, b } = await account();
    inbox.greylisted.set(a, 1);
    const { id } = await newDispatch(service, programId);
    await failed(id, 1);
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 2 }) } });
    await expect.poll(() => taken(id, a)).toBe(1);
    service.clock.advance({ minutes: 10 });
    await poll(async () => (await mailRows(service, id)).map(({ state }) => state), ["sent", "sent"]);
    expect([taken(id, a), taken(id, b)]).toEqual([1, 2]);
  });

  test("is not tried again once its account is disabled", async () => {
    const { participant, programId, a } = await account();
    inbox.greylisted.set(a, 1);
    const { id } = await newDispatch(service, programId);
    await failed(id, 1);
    await service.made(operator.changeAccount, { params: { id: participant.accountId }, body: { disabled: true } });
    service.clock.advance({ seconds: 10 });
    const retries = () =>
      service.database.pool.query("select from mails where dispatch_id = $1 and retry_at is not null", [id]);
    await expect.poll(async () => (await retries()).rowCount).toBe(0);
    expect(taken(id, a)).toBe(0);
  });
});

describe("a recipient that is refused for good", () => {
  test("raises an alarm that names it, until its contact is corrected, who then gets the mail", async () => {
    const { participant, programId, a, b, contactIds } = await account();
    inbox.refused.add(a);
    const { id } = await newDispatch(service, programId);
    await failed(id, 1);
    expect(await openAlarms(contactIds[b])).toEqual([]);
    const [alarm] = await openAlarms(contactIds[a]);
    expect(alarm?.message).toContain(`Ana, ${a} <${a}>`);
    expect(alarm?.message).toContain("no such mailbox");
    await service.made(operator.deleteContact, { params: { id: contactIds[a] ?? "" } });
    await addContact(participant, `new-${a}`);
    expect(await openAlarms(contactIds[a])).toEqual([]);
    service.clock.advance({ minutes: 2 });
    await expect.poll(() => taken(id, `new-${a}`)).toBe(1);
    expect([taken(id, a), taken(id, b)]).toEqual([0, 1]);
  });

  test("raises none any more once the account read the dispatch, or the address takes a later mail", async () => {
    const [reading, taking] = [await account(), await account()];
    for (const { a } of [reading, taking]) inbox.refused.add(a);
    const { id } = await newDispatch(service, reading.programId);
    await failed(id, 1);
    expect(await openAlarms(reading.contactIds[reading.a])).toHaveLength(1);
    service.clock.advance({ seconds: 5 });
    await reading.participant.call("GET", `/dispatches/${id}`);
    await recorded(service, id, 0);
    expect(await openAlarms(reading.contactIds[reading.a])).toEqual([]);

    const { id: first } = await newDispatch(service, taking.programId);
    await failed(first, 1);
    expect(await openAlarms(taking.contactIds[taking.a])).toHaveLength(1);
    inbox.refused.delete(taking.a);
    service.clock.advance({ seconds: 5 });
    const { id: second } = await newDispatch(service, taking.programId);
    await expect.poll(() => taken(second, taking.a)).toBe(1);
    await expect.poll(() => openAlarms(taking.contactIds[taking.a])).toEqual([]);
  });
});

test("if every recipient is refused, an alarm names the dispatch at once, and the mail waits for a corrected contact", async () => {
  const { participant, programId, a, b } = await account();
  for (const email of [a, b]) inbox.refused.add(email);
  const { id } = await newDispatch(service, programId);
  await failed(id, 1);
  expect(await mailRows(service, id)).toMatchObject([{ state: "waiting" }]);
  const { items } = await service.made(operator.listEvidence, { params: { id } });
  expect(items.filter(({ channel }) => channel === "mail").map(({ what }) => what)).toEqual(["notified", "attempt"]);
  const unreached = async () => {
    await judgeOnce(service);
    return (await alarmsAbout(service, { kind: "notice_failed", id })).map(({ message }) => message);
  };
  expect(await unreached()).toEqual([
    expect.stringMatching(/the mail server refused every contact \(.*no such mailbox.*\); correct an address/),
  ]);
  await addContact(participant, `new-${a}`);
  service.clock.advance({ minutes: 2 });
  await expect.poll(() => taken(id, `new-${a}`)).toBe(1);
  await poll(async () => (await mailRows(service, id)).map(({ state }) => state), ["sent"]);
  expect(await unreached()).toEqual([]);
});

test("mails say that they are automatic, and where replies go", async () => {
  const { programId, b } = await account();
  const { id } = await newDispatch(service, programId);
  await expect.poll(() => taken(id, b)).toBe(1);
  const mail = inbox.received.find(({ content }) => content.includes(id));
  expect(mail?.content).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(mail?.content).toMatch(/^Reply-To: desk@operator\.example\r$/m);
});

test("the evidence has the answer for each recipient, the state that was told and the text as it was sent", async () => {
  const { programId, a, b } = await account();
  inbox.greylisted.set(a, 1);
  const { id } = await newDispatch(service, programId);
  await failed(id, 1);
  service.clock.advance({ seconds: 10 });
  await expect.poll(() => taken(id, a)).toBe(1);
  const mailed = async () =>
    (await service.made(operator.listEvidence, { params: { id } })).items.filter(({ what }) => what === "mailed");
  await expect.poll(async () => (await mailed()).length).toBe(2);
  const [first, second] = (await mailed()).map(({ detail }) => detail);
  expect(first?.recipients).toEqual([
    { name: `Ana, ${a}`, email: a, accepted: false, reply: expect.stringContaining("451") },
    { name: `Ana, ${b}`, email: b, accepted: true },
  ]);
  expect(second?.recipients).toEqual([{ name: `Ana, ${a}`, email: a, accepted: true }]);
  expect(first).toMatchObject({
    modification_number: 0,
    refused_recipients: 1,
    subject: expect.stringContaining("Curtail "),
  });
  expect(first?.text).toContain(`GET `);
  expect(first?.text).toContain(id);
});
