import { createTestDispatch, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { failed, pendingDeliveries, prepare, service, undelivered, unsentMails } from "../../support/alarm-notices.js";
import { acknowledge, alarmsAbout, judgeOnce, untilAlarms } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { recorded } from "../../support/recorded.js";
import { failForGood, poll, unreachable } from "../../support/unreachable.js";

beforeAll(prepare);

describe("a notice that is not delivered", () => {
  test("is raised when it was due for more than 15 s, once, and cleared when it is delivered", async () => {
    const { programId, hooks } = await unreachable(service, []);
    const { id } = await newDispatch(service, programId);
    await recorded(service, id, 2);
    service.clock.advance({ seconds: 10 });
    await recorded(service, id, 4);
    await judgeOnce(service);
    expect(await alarmsAbout(service, undelivered(id))).toEqual([]);
    const [alarm] = await untilAlarms(service, undelivered(id), 1);
    expect(alarm).toEqual({
      id: expect.stringMatching(/^alm_/),
      kind: "notice_undelivered",
      group_id: `notice_undelivered.${id}`,
      subject: id,
      account_id: null,
      account_name: null,
      message: expect.stringMatching(/ is not delivered yet to 2 webhooks\. See `curtail admin dispatches deliveries /),
      raised_at: ahead(service, {}),
      acknowledged_at: null,
      words: expect.stringMatching(/^A notice of Peak on .* is not delivered everywhere yet\.$/),
      acknowledged_by: null,
      acknowledged_by_name: null,
      assigned_to: null,
      shelved_until: null,
      cleared_at: null,
      contact: null,
      note: null,
    });
    await judgeOnce(service);
    expect(await alarmsAbout(service, undelivered(id))).toEqual([alarm]);
    // One that is refused after the clock has moved is not repeated by then.
    await recorded(service, id, 6);
    for (const each of hooks) each.answer = 200;
    service.clock.advance({ seconds: 60 });
    await poll(() => pendingDeliveries(id), 0);
    await untilAlarms(service, undelivered(id), 0);
    expect(await alarmsAbout(service, undelivered(id, "cleared"))).toEqual([
      { ...alarm, cleared_at: expect.any(String) },
    ]);
  });

  test("acknowledged is not raised again while it lasts, and is raised anew when it happens again", async () => {
    const { programId, hooks } = await unreachable(service, [], 1);
    const { id } = await newDispatch(service, programId);
    await recorded(service, id, 1);
    service.clock.advance({ seconds: 16 });
    await recorded(service, id, 2);
    const [first] = await untilAlarms(service, undelivered(id), 1);
    await acknowledge(service, first?.id);
    await judgeOnce(service);
    expect(await alarmsAbout(service, undelivered(id))).toMatchObject([{ id: first?.id, cleared_at: null }]);
    await recorded(service, id, 3);
    for (const each of hooks) each.answer = 200;
    service.clock.advance({ seconds: 60 });
    await poll(() => pendingDeliveries(id), 0);
    await untilAlarms(service, undelivered(id), 0);
    for (const each of hooks) each.answer = 503;
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    await poll(() => pendingDeliveries(id), 1);
    service.clock.advance({ seconds: 16 });
    const [second] = await untilAlarms(service, undelivered(id), 1);
    expect(second?.id).not.toBe(first?.id);
    expect(second?.acknowledged_at).toBeNull();
  });
});

describe("a notice that failed for good", () => {
  test("is raised for each account that neither webhook nor mail has reached, though the dispatch is over", async () => {
    const [anna, ben] = [await unreachable(service, ["anna@mills.example"]), await unreachable(service, [], 1)];
    const program = await newProgram(service, [anna.participant, ben.participant]);
    const { id } = await newDispatch(service, program, { end_time: ahead(service, { hours: 2 }) });
    await failForGood(service, id, 3);
    await poll(() => unsentMails(id), 2);
    service.clock.advance({ hours: 3 });
    const alarms = await untilAlarms(service, failed(id), 2);
    expect(alarms).toContainEqual({
      id: expect.stringMatching(/^alm_/),
      kind: "notice_failed",
      group_id: `not_notified.${id}`,
      subject: expect.stringMatching(/^mail_/),
      account_id: anna.participant.accountId,
      account_name: expect.any(String),
      message: expect.stringMatching(
        /no webhook, poll or VEN confirmed it .* no mail server; set CURTAIL_SMTP_URL\. Contact Night shift, anna@mills/,
      ),
      raised_at: expect.any(String),
      acknowledged_at: null,
      words: expect.stringMatching(
        /^Mills was not notified of Peak on .* \(Central time\)\. The service has no mail server\.$/,
      ),
      acknowledged_by: null,
      acknowledged_by_name: null,
      assigned_to: null,
      shelved_until: null,
      cleared_at: null,
      contact: { name: "Night shift", email: expect.stringMatching(/^anna@mills/), phone: null },
      note: null,
    });
    const none = { account_id: ben.participant.accountId, message: expect.stringContaining("it has no contact") };
    expect(alarms).toContainEqual(expect.objectContaining(none));
    await judgeOnce(service);
    expect(await alarmsAbout(service, failed(id))).toEqual(alarms);
  });

  test("is not raised for a participant's own test dispatch, which mails nobody (G31)", async () => {
    const { participant } = await unreachable(service, [], 1);
    const hours = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
    const { id } = (await participant.call(createTestDispatch, { body: hours })).body;
    await failForGood(service, id, 1);
    await judgeOnce(service);
    expect(await alarmsAbout(service, failed(id))).toEqual([]);
  });
});
