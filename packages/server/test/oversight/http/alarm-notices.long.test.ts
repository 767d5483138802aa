import { createTestDispatch, operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { advisoryLocks } from "../../../src/platform/database/advisory-locks.js";
import { failed, pendingDeliveries, prepare, service, undelivered, unsentMails } from "../../support/alarm-notices.js";
import { acknowledge, alarmsAbout, judgeOnce, resend, untilAlarms } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { recorded } from "../../support/recorded.js";
import { failForGood, poll, subscribe, unreachable } from "../../support/unreachable.js";

beforeAll(prepare);

describe("a notice that is not delivered", () => {
  test("is raised too when nobody has sent it out, whatever its dispatch, and once for several accounts", async () => {
    const [anna, ben] = [await service.newParticipant(), await service.newParticipant()];
    for (const each of [anna, ben]) await subscribe(each, await receiver());
    const expander = await service.database.pool.connect();
    await expander.query("select pg_advisory_lock($1)", [advisoryLocks.expansion]);
    const { id } = await newDispatch(service, await newProgram(service, [anna, ben]));
    const hours = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
    const { id: own } = (await anna.call(createTestDispatch, { body: hours })).body;
    service.clock.advance({ seconds: 16 });
    const [alarm] = await untilAlarms(service, undelivered(id), 1);
    expect(alarm?.message).toMatch(/no process has sent it\. Check that a process with the role worker is running\.$/);
    // Participants' own tests raise no alarms (G47).
    expect(await alarmsAbout(service, undelivered(own))).toEqual([]);
    await expander.query("select pg_advisory_unlock($1)", [advisoryLocks.expansion]);
    expander.release();
    await recorded(service, id, 2);
    await recorded(service, own, 1);
    await untilAlarms(service, undelivered(id), 0);
    await untilAlarms(service, undelivered(own), 0);
  });
});

describe("a notice that failed for good", () => {
  test("stands until it is acknowledged, which clears it for good", async () => {
    const { programId } = await unreachable(service, [], 1);
    const { id } = await newDispatch(service, programId);
    await failForGood(service, id, 1);
    await poll(() => unsentMails(id), 1);
    const [alarm] = await untilAlarms(service, failed(id), 1);
    const at = ahead(service, {});
    const done = { ...alarm, acknowledged_at: at, acknowledged_by: "operator", cleared_at: at };
    expect((await acknowledge(service, alarm?.id)).body).toEqual(done);
    await judgeOnce(service);
    expect(await alarmsAbout(service, failed(id, "all"))).toEqual([done]);
  });

  test("is cleared where another webhook of the account takes it later", async () => {
    const { hooks, participant } = await unreachable(service, [], 2);
    const other = await unreachable(service, [], 1);
    const { id } = await newDispatch(service, await newProgram(service, [participant, other.participant]));
    await failForGood(service, id, 3);
    await poll(() => unsentMails(id), 2);
    await untilAlarms(service, failed(id), 2);
    // Resets one of the first account's deliveries to before its last attempt.
    await service.database.pool.query(
      `update messages set state = 'pending', failures = 4, next_attempt_at = $2 where seq = (
         select min(messages.seq) from messages join webhooks on webhooks.id = recipient
         where subject = $1 and webhooks.account_id = $3)`,
      [id, new Date(ahead(service, { minutes: 1 })), participant.accountId],
    );
    for (const hook of hooks) hook.answer = 200;
    service.clock.advance({ minutes: 1 });
    await poll(() => pendingDeliveries(id), 0);
    const [left] = await untilAlarms(service, failed(id), 1);
    expect(left?.account_id).toBe(other.participant.accountId);
  });

  test("is cleared once a delivery that is sent again is taken, and names the account in words", async () => {
    const { hooks, programId, participant } = await unreachable(service, [], 1);
    const { id } = await newDispatch(service, programId);
    await failForGood(service, id, 1);
    await poll(() => unsentMails(id), 1);
    const [alarm] = await untilAlarms(service, failed(id), 1);
    const { name } = (await service.operator(operator.getAccount, { params: { id: participant.accountId } })).body;
    expect(alarm).toMatchObject({ account_id: participant.accountId, account_name: name });
    await resend(service, id);
    await judgeOnce(service);
    expect(await alarmsAbout(service, failed(id))).toHaveLength(1);
    for (const hook of hooks) hook.answer = 200;
    await resend(service, id);
    await untilAlarms(service, failed(id), 0);
    const [over] = await alarmsAbout(service, failed(id, "cleared"));
    expect(over).toMatchObject({ id: alarm?.id, acknowledged_at: null, cleared_at: expect.any(String) });
  });
});
