import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { newDispatch } from "../../support/dispatching.js";
import { nothingUnderWay } from "../../support/recorded.js";
import {
  account,
  addContact,
  failed,
  inbox,
  openAlarms,
  prepare,
  service,
  taken,
} from "../../support/refused-recipients.js";
import { mailRows } from "../../support/unreachable.js";

beforeAll(prepare);

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
    await nothingUnderWay(service, "public");
    service.clock.advance({ minutes: 20 });
    expect(await openAlarms(contactIds[a])).toEqual([]);
    expect([taken(id, a), taken(id, b)]).toEqual([1, 1]);
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
    // In this order: between the two a retry would find that every contact has it.
    await addContact(participant, `new-${a}`);
    await service.made(operator.deleteContact, { params: { id: contactIds[a] ?? "" } });
    expect(await openAlarms(contactIds[a])).toEqual([]);
    service.clock.advance({ minutes: 2 });
    await expect.poll(() => taken(id, `new-${a}`)).toBe(1);
    expect([taken(id, a), taken(id, b)]).toEqual([0, 1]);
  });
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
