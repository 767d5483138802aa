import {
  createScenario,
  createTestDispatch,
  deleteWebhook,
  getDispatch,
  listSites,
  listWebhooks,
  operator,
  reportScenario,
} from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { LAKESIDE, listed, newPlayer, program, scenarioOf, sites } from "../support/scenario.js";
import { minutes, pass, prepare, service, state, told } from "../support/scenarios.js";

beforeAll(prepare);

/** Shows that nothing else was sent: another scenario's notice arrives next. */
const nothingMore = async (player: Awaited<ReturnType<typeof newPlayer>>, before: number): Promise<void> => {
  const { dispatches } = await player.play("basic", { notification_time: undefined });
  const notices = await told(player.hook, before + 1);
  expect(notices.slice(before)).toEqual([["dispatch.create", dispatches[0]?.id]]);
};

describe("without a scenario", () => {
  test("an account sees the fixed dispatch and sites, and its own webhooks", async () => {
    const { call, hook } = await newPlayer(service);
    expect((await listed({ call })).map(({ id }) => id)).toEqual(["dis_sandbox"]);
    expect((await call(getDispatch, { params: { id: "dis_sandbox" } })).body.id).toBe("dis_sandbox");
    expect((await call(listSites)).body).toEqual((await service.publicCall(listSites)).body);
    const { webhooks } = (await call(listWebhooks)).body;
    expect(webhooks.map(({ url }) => url)).toEqual([hook.url]);
    expect((await call(deleteWebhook, { params: { id: webhooks[0]?.id ?? "" } })).body).toEqual(webhooks[0]);
    expect((await call(listWebhooks)).body.webhooks).toEqual([]);
  });
});

describe("a basic scenario", () => {
  test("appears and is notified in the second of its notification time, not before", async () => {
    const player = await newPlayer(service);
    const [start_time, end_time] = [minutes(30), minutes(90)];
    const { dispatches } = await player.play("basic");
    const id = dispatches[0]?.id ?? "";
    expect(dispatches).toMatchObject([{ start_time, end_time, authorized: true, modification_number: 0, program }]);
    expect(await listed(player)).toEqual([]);
    pass({ seconds: 599 });
    expect(await listed(player)).toEqual([]);
    expectError(await player.call(getDispatch, { params: { id } }), 404);
    expect(player.hook.received.filter(({ event }) => event !== "")).toEqual([]);
    pass({ seconds: 1 });
    expect(await listed(player)).toEqual(dispatches);
    expect((await player.call(getDispatch, { params: { id } })).body).toEqual(dispatches[0]);
    expect(await told(player.hook, 1)).toEqual([["dispatch.create", id]]);
    expect(dispatches[0]).toMatchObject({ sites: [{ id: LAKESIDE, commitment: 100, drop_by: 100 }] });
  });

  test("F5: may have no end", async () => {
    const player = await newPlayer(service);
    const { dispatches } = await player.play("basic", { end_time: null, notification_time: minutes(0) });
    expect(dispatches).toMatchObject([{ end_time: null }]);
    pass({ minutes: 600 });
    expect(await listed(player)).toMatchObject([{ end_time: null }]);
  });

  test("is what POST /dispatches makes, of the fixed sites", async () => {
    const player = await newPlayer(service);
    const period = { start_time: minutes(10), end_time: minutes(20) };
    const { status, body } = await player.call(createTestDispatch, { body: period });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...period, test: true, program: { name: "Test dispatch" } });
    expect(body.sites).toHaveLength(2);
    expect(await listed(player)).toEqual([body]);
    expect(await told(player.hook, 1)).toEqual([["dispatch.create", body.id]]);
    expectError(await player.call(createTestDispatch, { body: { ...period, start_time: minutes(-1) } }), 400, /future/);
  });
});

describe("ancillary services", () => {
  test("has no end until its end, which is then notified", async () => {
    const player = await newPlayer(service);
    const end_time = minutes(90);
    const { dispatches } = await player.play("ancillary_services");
    const id = dispatches[0]?.id;
    pass({ minutes: 10 });
    expect(await listed(player)).toMatchObject([{ id, end_time: null, modification_number: 0 }]);
    await told(player.hook, 1);
    pass({ seconds: 80 * 60 - 1 });
    expect(await listed(player)).toMatchObject([{ end_time: null }]);
    pass({ seconds: 1 });
    expect(await listed(player)).toMatchObject([{ id, end_time, modification_number: 1 }]);
    expect(await told(player.hook, 2)).toEqual([
      ["dispatch.create", id],
      ["dispatch.update", id],
    ]);
  });
});

describe("an update", () => {
  test("moves both times by a quarter of the length, halfway to the start", async () => {
    const player = await newPlayer(service);
    const moved = { start_time: minutes(45), end_time: minutes(105), modification_number: 1 };
    const { dispatches } = await player.play("update");
    pass({ seconds: 20 * 60 - 1 });
    expect(await listed(player)).toEqual(dispatches);
    pass({ seconds: 1 });
    expect(await listed(player)).toMatchObject([moved]);
    expect((await told(player.hook, 2)).map(([event]) => event)).toEqual(["dispatch.create", "dispatch.update"]);
  });
});

describe("a cancellation", () => {
  test.each([
    ["halfway through", {}, 60],
    ["when it is told to", { cancel_time: 12 }, 12],
  ])("comes %s", async (_, { cancel_time }: { cancel_time?: number }, at) => {
    const player = await newPlayer(service);
    await player.play("cancellation", cancel_time === undefined ? {} : { cancel_time: minutes(cancel_time) });
    pass({ seconds: at * 60 - 1 });
    expect(await listed(player)).toMatchObject([{ authorized: true }]);
    pass({ seconds: 1 });
    expect(await listed(player)).toMatchObject([{ authorized: false, modification_number: 1 }]);
    expect((await told(player.hook, 2)).map(([event]) => event)).toEqual(["dispatch.create", "dispatch.update"]);
  });
});

describe("custom", () => {
  test("plays several dispatches, each through its states", async () => {
    const player = await newPlayer(service);
    const both = [...sites, { name: "Mine", commitment: 5 }];
    const { dispatches } = await player.play("custom", {
      name: "two",
      dispatches: {
        A: { states: [state(1), state(3, { end_time: minutes(60), sites: both }), state(5, { authorized: false })] },
        B: { states: [state(2, { test: true, start_time: minutes(40) })] },
      },
    });
    const [a, b] = dispatches.map(({ id }) => id);
    expect(await listed(player)).toEqual([]);
    pass({ minutes: 1 });
    expect(await listed(player)).toMatchObject([{ id: a, end_time: null, modification_number: 0, test: false }]);
    await told(player.hook, 1);
    pass({ minutes: 1 });
    expect(await listed(player)).toMatchObject([{ id: b, test: true }, { id: a }]);
    await told(player.hook, 2);
    pass({ minutes: 1 });
    const [, changed] = await listed(player);
    expect(changed).toMatchObject({ id: a, modification_number: 1, sites: [{ id: LAKESIDE }, { name: "Mine" }] });
    await told(player.hook, 3);
    pass({ minutes: 2 });
    expect(await listed(player)).toMatchObject([{ id: b }, { id: a, authorized: false, modification_number: 2 }]);
    const notices = await told(player.hook, 4);
    expect(notices.filter(([, id]) => id === a).map(([event]) => event)).toEqual([
      "dispatch.create",
      "dispatch.update",
      "dispatch.update",
    ]);
    expect(notices.filter(([, id]) => id === b)).toEqual([["dispatch.create", b]]);
  });

  test.each([
    ["no dispatches", undefined, /dispatches is missing/],
    ["an empty set", {}, /dispatches/],
    ["no states", { A: { states: [] } }, /states/],
  ])("is refused with %s", async (_, dispatches, why) => {
    const { call } = await newPlayer(service);
    expectError(await call("POST", "/scenarios", { scenario_type: "custom", dispatches }), 400, why);
  });

  test("is refused if its states are out of order, naming the place", async () => {
    const { call } = await newPlayer(service);
    const dispatches = { A: { states: [state(2), state(2)] } };
    expectError(await call(createScenario, { body: { scenario_type: "custom", dispatches } }), 400, /A\.states\[1\]/);
    const ended = { A: { states: [state(2, { end_time: minutes(29) })] } };
    expectError(await call(createScenario, { body: { scenario_type: "custom", dispatches: ended } }), 400, /end_time/);
  });
});

describe("a new scenario", () => {
  test("replaces the previous one, whose dispatches disappear and are no longer notified", async () => {
    const player = await newPlayer(service);
    const old = await player.play("update", { notification_time: minutes(0) });
    await told(player.hook, 1);
    const fresh = await player.play("basic", { notification_time: minutes(5) });
    expect(await listed(player)).toEqual([]);
    expectError(await player.call(getDispatch, { params: { id: old.dispatches[0]?.id ?? "" } }), 404);
    pass({ minutes: 20 });
    expect(await listed(player)).toEqual(fresh.dispatches);
    expect((await told(player.hook, 2))[1]).toEqual(["dispatch.create", fresh.dispatches[0]?.id]);
    await nothingMore(player, 2);
  });

  test("of another account changes nothing", async () => {
    const [anna, ben] = [await newPlayer(service), await newPlayer(service)];
    const { id, dispatches } = await anna.play("basic", { notification_time: minutes(0) });
    expect((await listed(ben)).map((dispatch) => dispatch.id)).toEqual(["dis_sandbox"]);
    expectError(await ben.call(getDispatch, { params: { id: dispatches[0]?.id ?? "" } }), 404);
    expectError(await ben.call(reportScenario, { params: { id } }), 404);
    await ben.play("basic");
    expect(await listed(anna)).toEqual(dispatches);
  });
});

describe("speed", () => {
  test("plays a scenario so many times faster, cancel_time included", async () => {
    const player = await newPlayer(service);
    const [start_time, end_time] = [30, 90].map((seconds) => minutes(seconds / 60));
    const { dispatches } = await player.play("cancellation", { speed: 60, cancel_time: minutes(40) });
    expect(dispatches).toMatchObject([{ start_time, end_time }]);
    pass({ seconds: 9 });
    expect(await listed(player)).toEqual([]);
    pass({ seconds: 1 });
    expect(await listed(player)).toEqual(dispatches);
    pass({ seconds: 29 });
    expect(await listed(player)).toMatchObject([{ authorized: true }]);
    pass({ seconds: 1 });
    expect(await listed(player)).toMatchObject([{ authorized: false }]);
    await told(player.hook, 2);
  });
});

test("G35: the public key's scenario is answered like any other, and changes nothing", async () => {
  const { status, body } = await service.publicCall(createScenario, { body: scenarioOf(service, "back_to_back") });
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: expect.stringMatching(/^scn_/), scenario_type: "back_to_back" });
  expect(body.dispatches).toHaveLength(2);
  expect((await listed({ call: service.publicCall })).map(({ id }) => id)).toEqual(["dis_sandbox"]);
  expectError(await service.publicCall(reportScenario, { params: { id: body.id } }), 404);
});

/** Waits until this many attempts were answered 500. */
const attempts = (count: number): Promise<void> =>
  expect
    .poll(async () => {
      const sql = `select from sandbox.message_attempts where status = 500`;
      return (await service.database.pool.query(sql)).rowCount;
    })
    .toBe(count);

describe("a webhook of the sandbox", () => {
  test("G40: that fails for good sends no mail", async () => {
    const player = await newPlayer(service);
    await service.made(operator.createContact, {
      params: { id: player.participant.accountId },
      body: { name: "A", email: "a@b.example" },
    });
    player.hook.answer = 500;
    await player.play("basic", { notification_time: minutes(0) });
    for (const [index, seconds] of [2.5, 7.5, 22.5, 67.5].entries()) {
      await attempts(index + 1);
      pass({ seconds });
    }
    await attempts(5);
    const { pool } = service.database;
    await expect
      .poll(async () => (await pool.query("select state from sandbox.messages where state = 'failed'")).rowCount)
      .toBe(1);
    for (const table of ["messages", "sandbox.messages"])
      expect((await pool.query(`select from ${table} where channel = 'email'`)).rowCount).toBe(0);
  });

  test("is sent in the order of a dispatch's states after a failure, and is signed", async () => {
    const player = await newPlayer(service);
    player.hook.answer = 503;
    await player.play("update", { notification_time: minutes(0) });
    await told(player.hook, 1);
    player.hook.answer = 200;
    pass({ minutes: 15 });
    const notices = await player.hook.notices(3);
    expect(notices.map(({ event }) => event)).toEqual(["dispatch.create", "dispatch.create", "dispatch.update"]);
    for (const { headers } of notices) expect(headers["webhook-signature"]).toMatch(/^v1,/);
  });

  test("of another account is never notified", async () => {
    const [anna, ben] = [await newPlayer(service), await newPlayer(service)];
    await anna.play("basic", { notification_time: minutes(0) });
    await told(anna.hook, 1);
    await nothingMore(ben, 0);
  });
});
