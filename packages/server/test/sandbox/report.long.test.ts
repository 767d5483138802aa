import { getDispatch, operator, reportScenario, uploadTelemetry } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { good, type Habits, ReferenceParticipant } from "../support/reference-participant.js";
import { type Running, running } from "../support/running.js";
import { inMinutes, LAKESIDE, LAKESIDE_METER, listed, newPlayer, type Player } from "../support/scenario.js";

let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
});

type Results = Record<string, string>;

const reportOf = async ({ call }: Pick<Player, "call">, id: string) =>
  (await call(reportScenario, { params: { id } })).body as {
    state: string;
    criteria: Array<{ name: string; dispatch_id: string; site_id: string | null; result: string; at: string | null }>;
  };

const resultsIn = ({ criteria }: Awaited<ReturnType<typeof reportOf>>): Results =>
  Object.fromEntries(criteria.map(({ name, result }) => [name, result]));

/** Notified after 10 minutes, changed after 20 to last from 45 to 105; final after 120. */
const updated = async (habits: Habits): Promise<{ player: Player; id: string }> => {
  const player = await newPlayer(service);
  const { id } = await player.play("update");
  await new ReferenceParticipant(service, player, habits).live(121, { 10: 1, 20: 2 });
  return { player, id };
};

describe("the report of a reference participant", () => {
  const passedAll = {
    notified: "passed",
    fetched: "passed",
    update_fetched: "passed",
    curtailed_in_time: "passed",
    returned_after: "passed",
  };

  test("that does everything: all passed, with times", async () => {
    const [notified, start, end] = [10, 45, 105].map((minute) => inMinutes(service, minute));
    const { player, id } = await updated(good);
    const report = await reportOf(player, id);
    expect(report.state).toBe("final");
    expect(resultsIn(report)).toEqual(passedAll);
    const at = (name: string) => report.criteria.find((each) => each.name === name);
    expect(at("notified")).toMatchObject({ at: notified, site_id: null });
    expect(at("fetched")?.at).toBe(notified);
    expect(at("curtailed_in_time")).toMatchObject({ at: start, site_id: LAKESIDE });
    expect(Date.parse(at("returned_after")?.at ?? "")).toBe(Date.parse(end ?? "") + 60_000);
  });

  test("that ignores the update: it was not fetched", async () => {
    const { player, id } = await updated({ ...good, followsUpdates: false });
    expect(resultsIn(await reportOf(player, id))).toEqual({ ...passedAll, update_fetched: "failed" });
  });

  test("that never stops: it did not return", async () => {
    const { player, id } = await updated({ ...good, stops: false });
    expect(resultsIn(await reportOf(player, id))).toEqual({ ...passedAll, returned_after: "failed" });
  });

  test("that never fetches was notified and did nothing", async () => {
    const { player, id } = await updated({ ...good, fetches: false });
    expect(resultsIn(await reportOf(player, id))).toEqual({
      notified: "passed",
      fetched: "failed",
      update_fetched: "failed",
      curtailed_in_time: "failed",
      returned_after: "not_seen",
    });
  });

  test.each([
    ["stops on the cancellation", good, "passed"],
    ["does not", { ...good, stops: false }, "failed"],
  ])("that %s, half an hour after the start", async (_, habits, stopped) => {
    const player = await newPlayer(service);
    const { id } = await player.play("cancellation");
    await new ReferenceParticipant(service, player, habits).live(76, { 10: 1, 60: 2 });
    const results = { notified: "passed", fetched: "passed", update_fetched: "passed", curtailed_in_time: "passed" };
    expect(resultsIn(await reportOf(player, id))).toEqual({ ...results, stopped_on_cancel: stopped });
  });
});

const reading = (kW: number) => ({
  telemetry: [{ interval_seconds: 60, timestamp: inMinutes(service, 0), meter_id: LAKESIDE_METER, kW }],
});

const storedReports = async (id: string): Promise<unknown[]> =>
  (await service.database.pool.query("select report from sandbox.scenarios where id = $1", [id])).rows.map(
    ({ report }) => report,
  );

describe("the report", () => {
  test("is running with nothing seen, and final a quarter of an hour after the end", async () => {
    const player = await newPlayer(service);
    const { id } = await player.play("basic");
    const before = await reportOf(player, id);
    expect(before).toMatchObject({ id, scenario_type: "basic", state: "running" });
    expect(new Set(Object.values(resultsIn(before)))).toEqual(new Set(["not_seen"]));
    service.clock.advance({ minutes: 105, seconds: -1 });
    expect((await reportOf(player, id)).state).toBe("running");
    service.clock.advance({ seconds: 1 });
    const after = await reportOf(player, id);
    expect(after.state).toBe("final");
    expect(resultsIn(after)).toMatchObject({ fetched: "failed", curtailed_in_time: "not_seen" });
  });

  test("counts a poll as notified and as fetched", async () => {
    const player = await newPlayer(service);
    player.hook.answer = 500;
    const { id } = await player.play("basic", { notification_time: undefined });
    await listed(player);
    expect(resultsIn(await reportOf(player, id))).toMatchObject({ notified: "passed", fetched: "passed" });
  });

  test("is kept once it is final, and the readings are dropped; the next scenario ends the run", async () => {
    const player = await newPlayer(service);
    const { id } = await player.play("basic");
    service.clock.advance({ minutes: 1 });
    await player.call(uploadTelemetry, { body: reading(200) });
    expect(await storedReports(id)).toEqual([null]);
    await player.play("basic");
    expect((await reportOf(player, id)).state).toBe("final");
    await expect.poll(() => storedReports(id)).toEqual([expect.any(Array)]);
    await player.call(uploadTelemetry, { body: reading(200) });
    expect((await reportOf(player, id)).state).toBe("final");
  });

  test("that a newer version kept is said to be so; one without a number is read", async () => {
    const player = await newPlayer(service);
    const { id } = await player.play("basic");
    service.clock.advance({ minutes: 1 });
    await player.call(uploadTelemetry, { body: reading(200) });
    await player.play("basic");
    const report = await reportOf(player, id);
    await expect.poll(() => storedReports(id)).toEqual([expect.any(Array)]);
    const [criteria] = await storedReports(id);
    const keep = (stored: object) =>
      service.database.pool.query("update sandbox.scenarios set report = $2 where id = $1", [
        id,
        JSON.stringify(stored),
      ]);
    await keep({ format: 1, criteria });
    expect(await reportOf(player, id)).toEqual(report);
    await keep({ format: 2, verdicts: [] });
    expectError(await player.call(reportScenario, { params: { id } }), 500, /stored by a newer version of the service/);
  });

  test("of a run that nobody asks about is stored automatically", async () => {
    const player = await newPlayer(service);
    const { id } = await player.play("basic", { speed: 600 });
    service.clock.advance({ seconds: 1 });
    await player.call(uploadTelemetry, { body: reading(200) });
    service.clock.advance({ minutes: 1 });
    await expect.poll(() => storedReports(id)).toEqual([expect.any(Array)]);
  });

  test("divides its minutes by the speed", async () => {
    const player = await newPlayer(service);
    const { id } = await player.play("basic", { speed: 60 });
    const send = async (seconds: number, kW: number): Promise<void> => {
      service.clock.advance({ seconds });
      await player.call(uploadTelemetry, { body: reading(kW) });
    };
    await send(5, 300);
    await send(5, 300);
    await listed(player);
    await send(20, 210);
    await send(61, 300);
    service.clock.advance({ seconds: 14 });
    const report = await reportOf(player, id);
    expect(report.state).toBe("final");
    expect(resultsIn(report)).toMatchObject({ curtailed_in_time: "passed", returned_after: "passed" });
  });

  test("reads a made-up site's readings by site_id, and production stores none of them", async () => {
    const player = await newPlayer(service);
    const { id, dispatches } = await player.play("basic", {
      sites: [{ name: "Mine", commitment: 10 }],
      notification_time: undefined,
      start_time: inMinutes(service, 10),
    });
    const [site] = (dispatches[0] as unknown as { sites: Array<{ id: string }> }).sites;
    const of = (minutes: number, kW: number) => ({
      interval_seconds: 60,
      timestamp: inMinutes(service, minutes),
      site_id: site?.id,
      kW,
    });
    expect((await player.call("POST", "/telemetry", { telemetry: [of(-1, 20)] })).body).toEqual({ received: 1 });
    service.clock.advance({ minutes: 9 });
    await player.call("POST", "/telemetry", { telemetry: [of(0, 20)] });
    service.clock.advance({ minutes: 2 });
    expect(resultsIn(await reportOf(player, id))).toMatchObject({ curtailed_in_time: "failed" });
    const bySite = { ...of(0, 1), site_id: "site_other" };
    const elsewhere = await player.call(uploadTelemetry, { body: { telemetry: [bySite] } });
    expect(elsewhere.body.warnings).toEqual([expect.stringMatching(/^telemetry\[0\]\.site_id is "site_other"/)]);
    expect((await service.database.pool.query("select from telemetry_hours")).rowCount).toBe(0);
  });
});

describe("the operator", () => {
  test("sees an account's runs, newest first, and the report of each", async () => {
    const player = await newPlayer(service);
    const first = await player.play("basic", { name: "a first try" });
    const second = await player.play("update", { speed: 2 });
    const { items } = (
      await service.operator(operator.listAccountScenarios, { params: { id: player.participant.accountId } })
    ).body;
    expect(items).toMatchObject([
      { id: second.id, scenario_type: "update", name: null, speed: 2, state: "running" },
      { id: first.id, scenario_type: "basic", name: "a first try", speed: 1, state: "final" },
    ]);
    expect(items[1]?.acts).toEqual([]);
    const report = await service.operator(operator.getScenarioReport, { params: { id: second.id } });
    expect(report.body).toEqual(await reportOf(player, second.id));
    expectError(await service.operator(operator.getScenarioReport, { params: { id: "scn_other" } }), 404);
    expectError(await service.operator(operator.listAccountScenarios, { params: { id: "acc_other" } }), 404);
  });

  test("sees what a participant did: polls, what they showed, and readings", async () => {
    const player = await newPlayer(service);
    const { dispatches } = await player.play("basic", { notification_time: inMinutes(service, 1) });
    const id = dispatches[0]?.id ?? "";
    const first_at = inMinutes(service, 0);
    await listed(player);
    await listed(player);
    const load = { interval_seconds: 60, timestamp: first_at, site_id: LAKESIDE, units: "kW", value: 5 };
    await player.call("POST", "/telemetry/controllable-load", { controllable_load: [load] });
    service.clock.advance({ minutes: 1 });
    const last_at = inMinutes(service, 0);
    await listed(player);
    await player.call(getDispatch, { params: { id } });
    await player.call(uploadTelemetry, { body: reading(200) });
    const { items } = (
      await service.operator(operator.listAccountScenarios, { params: { id: player.participant.accountId } })
    ).body;
    const early = { dispatch_id: null, modification_number: 0, first_at, last_at: first_at };
    const late = { modification_number: 0, first_at: last_at, last_at };
    expect(items[0]?.acts).toHaveLength(5);
    expect(items[0]?.acts).toEqual(
      expect.arrayContaining([
        { ...early, what: "polled", count: 2 },
        { ...early, what: "controllable_load", count: 1 },
        { ...late, what: "polled", dispatch_id: id, count: 1 },
        { ...late, what: "fetched", dispatch_id: id, count: 1 },
        { ...late, what: "telemetry", dispatch_id: null, count: 1 },
      ]),
    );
  });

  test("sees the sandbox's webhooks and deliveries where it asks for them, with their secrets", async () => {
    const player = await newPlayer(service);
    await player.play("basic", { notification_time: undefined });
    await player.hook.notices(1);
    const path = `/accounts/${player.participant.accountId}/webhooks`;
    expect((await service.operator("GET", path)).body.items).toEqual([]);
    const { items } = (await service.operator("GET", `${path}?environment=sandbox`)).body;
    expect(items).toMatchObject([
      { environment: "sandbox", url: player.hook.url, secrets: [expect.stringMatching(/^whsec_/)] },
    ]);
    expectError(await service.operator(operator.listWebhookDeliveries, { params: { id: items[0].id } }), 404);
    const deliveries = await service.operator(operator.listWebhookDeliveries, {
      params: { id: items[0].id },
      query: { environment: "sandbox" },
    });
    expect(deliveries.body.items).toMatchObject([{ event: "dispatch.create" }]);
  });
});
