import { operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { beforeAll, describe, expect, test } from "vitest";
import { alarmsAbout, judgeOnce } from "../../support/alarms.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { mailRows, poll } from "../../support/unreachable.js";

// G45: the alarm about an account that cannot be mailed does not wait for the mails of others.
const MORE_THAN_LEAVE_AT_ONCE = 25;

let inbox: Mailbox;
let service: Running;
let reachable: Participant[];

beforeAll(async () => {
  inbox = await mailbox();
  service = await running({ CURTAIL_SMTP_URL: inbox.url });
  reachable = [];
  for (let index = 0; index < MORE_THAN_LEAVE_AT_ONCE; index++) {
    const participant = await service.newParticipant();
    const contact = { name: "Anna", email: `anna${index}@mills.example` };
    await service.made(operator.createContact, { params: { id: participant.accountId }, body: contact });
    reachable.push(participant);
  }
}, 30_000);

/** A dispatch of accounts that no channel reaches. */
const dispatchOf = async (participants: readonly Participant[]): Promise<string> =>
  (await newDispatch(service, await newProgram(service, participants))).id;
const states = async (id: string) => (await mailRows(service, id)).map(({ state }) => state);

describe("while the mail server hangs", () => {
  test("an account without contacts gets its alarm, though all places are taken", async () => {
    inbox.hold();
    const held = await dispatchOf(reachable);
    await poll(async () => (await states(held)).length, MORE_THAN_LEAVE_AT_ONCE);
    await expect.poll(() => inbox.received.length).toBeGreaterThanOrEqual(10);
    const id = await dispatchOf([await service.newParticipant({ name: "Mills" })]);
    await poll(() => states(id), ["no_contacts"]);
    await judgeOnce(service);
    const [alarm] = await alarmsAbout(service, { kind: "notice_failed", id });
    expect(alarm?.message).toContain("has no contact");
    inbox.release();
    await poll(async () => (await states(held)).filter((state) => state === "sent").length, MORE_THAN_LEAVE_AT_ONCE);
  }, 30_000);
});

test("many mails leave over few connections", async () => {
  const [connections, received] = [inbox.connections, inbox.received.length];
  await Promise.all([dispatchOf(reachable), dispatchOf(reachable)]);
  await expect.poll(() => inbox.received.length).toBe(received + 2 * MORE_THAN_LEAVE_AT_ONCE);
  expect(inbox.connections - connections).toBeLessThanOrEqual(20);
}, 30_000);
