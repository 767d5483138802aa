import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { alarmsAbout, judgeOnce } from "../support/alarms.js";
import { ahead, listedIds, newDispatch, newProgram } from "../support/dispatching.js";
import { expectError } from "../support/expect-error.js";
import { dispatchBetween, performanceOf } from "../support/measuring.js";
import { receiver } from "../support/receiver.js";
import { type Participant, type Running, running } from "../support/running.js";
import { poll, subscribe } from "../support/unreachable.js";

// G47: what an account's own tests may take.
let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
});

const request = (from = 1, to = 2) =>
  anna.call("POST", "/dispatches", {
    start_time: ahead(service, { hours: from }),
    end_time: ahead(service, { hours: to }),
  });

const cancelTests = (accountId = anna.accountId) => service.operator("POST", `/accounts/${accountId}/tests/cancel`);

describe("an account's own tests", () => {
  test("are at most 3 unfinished ones", async () => {
    for (let made = 0; made < 3; made++) expect((await request()).status).toBe(200);
    expectError(await request(), 400, /3 test dispatches that are not over, as many as one may have/);
    expect(await listedIds(anna)).toHaveLength(3);
    const ben = await service.newParticipant();
    expect((await ben.call("POST", "/dispatches", times())).status).toBe(200);
  });

  test("are 3 however many are asked for at once", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => request()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
  });

  test("make room when one is cancelled, and when one is over", async () => {
    const [first] = [await request(), await request(), await request()];
    await service.made("PATCH", `/dispatches/${first.body.id}`, { authorized: false });
    expect((await request()).status).toBe(200);
    expectError(await request(), 400);
    service.clock.set(new Date(Date.parse(first.body.end_time) + 1000));
    expect((await request()).status).toBe(200);
  });

  test("leave room for the operator's tests, and the other way round", async () => {
    const program_id = await newProgram(service, [anna]);
    for (let made = 0; made < 4; made++) await newDispatch(service, program_id, { test: true });
    expect((await request()).status).toBe(200);
  });

  test("are at most 24 hours long", async () => {
    expectError(await request(1, 25 + 1 / 3600), 400, /a test dispatch lasts at most 24 hours/);
    expect((await request(1, 25)).status).toBe(200);
  });
});

const times = () => ({ start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) });

describe("POST /accounts/{id}/tests/cancel", () => {
  test("cancels every unfinished test of the account, and nothing else", async () => {
    const issued = await newDispatch(service, await newProgram(service, [anna]), { test: true });
    const ben = await service.newParticipant();
    const others = (await ben.call("POST", "/dispatches", times())).body;
    const own = [(await request()).body.id, (await request()).body.id];
    const { status, body } = await cancelTests();
    expect(status).toBe(200);
    expect(body.cancelled).toEqual(own);
    const authorized = async (id: string) => (await service.operator("GET", `/dispatches/${id}`)).body.authorized;
    expect(await Promise.all([...own, issued.id, others.id].map(authorized))).toEqual([false, false, true, true]);
    expect((await cancelTests()).body).toEqual({ cancelled: [] });
  });

  test("notifies the participant and keeps an audit entry of each, as of any cancel", async () => {
    const { id } = (await request()).body;
    await cancelTests();
    expect((await anna.call("GET", `/dispatches/${id}`)).body).toMatchObject({
      authorized: false,
      modification_number: 1,
    });
    const { rows } = await service.database.pool.query(
      "select event from notices where dispatch_id = $1 order by seq",
      [id],
    );
    expect(rows).toEqual([{ event: "dispatch.create" }, { event: "dispatch.update" }]);
    const { items } = (await service.operator("GET", `/audit?subject=${id}`)).body;
    expect(items[0]).toMatchObject({ action: "dispatch.cancel", actor: "operator" });
  });

  test("is 404 for an account that does not exist", async () => {
    expectError(await cancelTests("acc_none"), 404);
  });
});

describe("an account's own test", () => {
  test("raises no alarm of stale telemetry or a deleted webhook, unlike an operator's dispatch", async () => {
    const webhookId = await subscribe(anna, await receiver());
    const soon = { start_time: ahead(service, { minutes: 10 }), end_time: ahead(service, { hours: 1 }) };
    const { id } = (await anna.call("POST", "/dispatches", soon)).body;
    await anna.call("DELETE", `/webhooks/${webhookId}`);
    await judgeOnce(service);
    expect(await alarmsAbout(service, { kind: "telemetry_stale", id })).toEqual([]);
    expect(await alarmsAbout(service, { kind: "last_webhook_deleted", id: anna.accountId })).toEqual([]);
    const issued = await newDispatch(service, await newProgram(service, [anna]), soon);
    await judgeOnce(service);
    expect(await alarmsAbout(service, { kind: "telemetry_stale", id: issued.id })).toHaveLength(1);
  });

  test("is measured only while somebody looks: it gets no final result, unlike an operator's dispatch", async () => {
    const { id } = (await request()).body;
    const { start_time, end_time } = times();
    const issued = await dispatchBetween(service, await newProgram(service, [anna]), [start_time, end_time]);
    service.clock.advance({ hours: 6 });
    await poll(async () => (await performanceOf(service, issued)).state, "final");
    expect(await performanceOf(service, id)).toMatchObject({ state: "ended", versions: [] });
  }, 20_000);
});
