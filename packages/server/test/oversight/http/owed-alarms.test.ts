import { type BodyOf, getDispatch, listDispatches, operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { beforeAll, describe, expect, test } from "vitest";
import { type About, acknowledge, alarmsAbout, judgeOnce, untilAlarms } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { evidenceOf } from "../../support/evidence.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { mailRows, poll } from "../../support/unreachable.js";

// G45: if the mail cannot be sent, an alarm names account, dispatch and a contact.
let service: Running;

beforeAll(async () => {
  service = await running();
});

const unreached = (id: string, state?: About["state"]): About => ({ kind: "notice_failed", id, state });
const addContact = ({ accountId }: Participant, body: BodyOf<typeof operator.createContact>, on = service) =>
  on.made(operator.createContact, { params: { id: accountId }, body });
const dispatched = async (on = service) => {
  const participant = await on.newParticipant({ name: "Mills" });
  const programId = await newProgram(on, [participant]);
  return { participant, programId, issue: async () => (await newDispatch(on, programId)).id };
};
const unsent = (id: string, count: number, on = service) =>
  poll(
    async () => (await mailRows(on, id)).filter(({ state }) => state === "no_contacts" || state === "kept").length,
    count,
  );
const gauge = async (on: Running): Promise<number> => {
  const text = await (await fetch(`${on.url}/metrics`)).text();
  return Number(/^curtail_unreached_dispatch_accounts (\d+)$/m.exec(text)?.[1]);
};

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

  test("and that read it only once it was over is named by an alarm until somebody acknowledges", async () => {
    const { participant, programId } = await dispatched();
    const times = { start_time: ahead(service, { minutes: 1 }), end_time: ahead(service, { minutes: 10 }) };
    const { id } = await newDispatch(service, programId, times);
    await unsent(id, 1);
    const [alarm] = await untilAlarms(service, unreached(id), 1);
    service.clock.advance({ minutes: 11 });
    await participant.call(listDispatches);
    await participant.call(getDispatch, { params: { id } });
    await judgeOnce(service);
    expect(await alarmsAbout(service, unreached(id))).toEqual([alarm]);
    await acknowledge(service, alarm?.id);
    expect(await alarmsAbout(service, unreached(id))).toEqual([]);
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

  test("has one alarm at a time, that of the latest change", async () => {
    const { issue } = await dispatched();
    const id = await issue();
    await unsent(id, 1);
    const [first] = await untilAlarms(service, unreached(id), 1);
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 3 }) } });
    await unsent(id, 2);
    service.clock.advance({ seconds: 5 });
    await poll(
      async () =>
        (await alarmsAbout(service, unreached(id))).map(({ message }) => /\((dispatch\.\w+)\)/.exec(message)?.[1]),
      ["dispatch.update"],
    );
    expect(await alarmsAbout(service, unreached(id, "cleared"))).toMatchObject([{ id: first?.id }]);
  });

  test("has evidence of when its time had passed", async () => {
    const { participant, issue } = await dispatched();
    const id = await issue();
    await unsent(id, 1);
    expect((await evidenceOf(service, id)).filter(({ channel }) => channel === "mail")).toMatchObject([
      {
        what: "notified",
        account_id: participant.accountId,
        at: ahead(service, {}),
        detail: { event: "dispatch.create" },
      },
      { what: "failed", detail: { reason: "no_contacts" } },
    ]);
  });

  test("is not alarmed about after its account was disabled", async () => {
    const { participant, issue } = await dispatched();
    const id = await issue();
    await unsent(id, 1);
    await untilAlarms(service, unreached(id), 1);
    await service.made(operator.changeAccount, {
      params: { id: participant.accountId },
      body: { disabled: true, confirm_running: true },
    });
    await untilAlarms(service, unreached(id), 0);
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

describe("the gauge of accounts that nothing reached", () => {
  test("counts pairs of account and dispatch past their time, though the account uploads, until they are reached or acknowledged", async () => {
    const on = await running();
    const [anna, ben] = [await dispatched(on), await dispatched(on)];
    await poll(() => gauge(on), 0);
    const meter_id = anna.participant.sites[0]?.meters[0];
    const telemetry = [{ meter_id, timestamp: ahead(on, {}), interval_seconds: 30, kW: 1 }];
    await anna.participant.call("POST", "/telemetry", { telemetry });
    const first = await anna.issue();
    await anna.issue();
    const third = await ben.issue();
    await poll(() => gauge(on), 3);
    await on.made(operator.changeDispatch, { params: { id: first }, body: { authorized: false } });
    await unsent(first, 2, on);
    await poll(() => gauge(on), 3);
    await anna.participant.call(listDispatches);
    on.clock.advance({ seconds: 5 });
    await poll(() => gauge(on), 1);
    const [alarm] = await untilAlarms(on, unreached(third), 1);
    await acknowledge(on, alarm?.id);
    await poll(() => gauge(on), 0);
  });
});
