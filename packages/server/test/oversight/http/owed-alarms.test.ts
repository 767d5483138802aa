import { type BodyOf, listDispatches, operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { beforeAll, describe, expect, test } from "vitest";
import { acknowledge, alarmsAbout, judgeOnce, untilAlarms } from "../../support/alarms.js";
import { ahead } from "../../support/dispatching.js";
import { dispatched, prepare, service, unreached, unsent } from "../../support/owed-alarm-story.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { mailRows, poll } from "../../support/unreachable.js";

beforeAll(prepare);
const addContact = ({ accountId }: Participant, body: BodyOf<typeof operator.createContact>, on = service) =>
  on.made(operator.createContact, { params: { id: accountId }, body });

describe("an account that nothing reaches", () => {
  test("without contacts is named by an alarm until a poll reaches it", async () => {
    const { participant, issue } = await dispatched();
    const id = await issue();
    await unsent(id, 1);
    const [alarm] = await untilAlarms(service, unreached(id), 1);
    expect(alarm).toMatchObject({ account_id: participant.accountId, cleared_at: null });
    expect(alarm?.message).toMatch(
      /^Account Mills \(acc_\w+\) .* dispatch dis_\w+ \(dispatch\.create\).* has no contact/,
    );
    await judgeOnce(service);
    expect(await alarmsAbout(service, unreached(id))).toEqual([alarm]);
    await participant.call(listDispatches);
    await untilAlarms(service, unreached(id), 0);
    expect(await alarmsAbout(service, unreached(id, "cleared"))).toHaveLength(1);
  });

  test("without a mail server is named with a contact to call, one with a phone first", async () => {
    const { participant, issue } = await dispatched();
    await addContact(participant, { name: "Anna", email: "anna@mills.example" });
    await addContact(participant, { name: "Ben", email: "ben@mills.example", phone: "+1 555 010 0200" });
    const id = await issue();
    await unsent(id, 1);
    const [alarm] = await untilAlarms(service, unreached(id), 1);
    expect(alarm?.message).toContain("CURTAIL_SMTP_URL");
    expect(alarm?.message).toContain("Ben, +1 555 010 0200");
  });

  test("is over with an acknowledgement, and raised anew when a change does not reach it either", async () => {
    const { issue } = await dispatched();
    const id = await issue();
    await unsent(id, 1);
    const [alarm] = await untilAlarms(service, unreached(id), 1);
    expect((await acknowledge(service, alarm?.id)).body).toMatchObject({ cleared_at: ahead(service, {}) });
    await judgeOnce(service);
    expect(await alarmsAbout(service, unreached(id))).toEqual([]);
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    await unsent(id, 2);
    const [second] = await untilAlarms(service, unreached(id), 1);
    expect(second?.message).toContain("(dispatch.update)");
  });
});

describe("an account whose mail is not taken", () => {
  let inbox: Mailbox;
  let mailing: Running;

  beforeAll(async () => {
    inbox = await mailbox();
    mailing = await running({ CURTAIL_SMTP_URL: inbox.url });
  });

  test("is alarmed about from the third failure on, until the mail is handed over", async () => {
    const { participant, issue } = await dispatched(mailing);
    await addContact(participant, { name: "Anna", email: "anna@mills.example", phone: "+1 555 010 0100" }, mailing);
    await inbox.close();
    const id = await issue();
    const failures = async () => (await mailRows(mailing, id))[0]?.failures;
    for (const [index, seconds] of [10, 30].entries()) {
      await poll(failures, index + 1);
      await judgeOnce(mailing);
      expect(await alarmsAbout(mailing, unreached(id))).toEqual([]);
      mailing.clock.advance({ seconds });
    }
    await poll(failures, 3);
    const [alarm] = await untilAlarms(mailing, unreached(id), 1);
    expect(alarm?.message).toContain("Anna, +1 555 010 0100");
    expect(await alarmsAbout(mailing, { kind: "mail_stuck", id })).toEqual([]);
    await inbox.open();
    mailing.clock.advance({ minutes: 5 });
    await poll(async () => (await mailRows(mailing, id))[0]?.state, "sent");
    await untilAlarms(mailing, unreached(id), 0);
  });
});
