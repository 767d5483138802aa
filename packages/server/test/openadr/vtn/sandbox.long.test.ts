import {
  deleteScenario,
  deleteWebhook,
  listWebhooks,
  operator,
  reportScenario,
  uploadTelemetry,
} from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { type Running, running } from "../../support/running.js";
import { inMinutes, LAKESIDE_METER, newPlayer, type Player } from "../../support/scenario.js";
import { listeningToVens, type TestVen, type Vens } from "../../support/vens.js";

let service: Running;
let vens: Vens;

beforeAll(async () => {
  service = await running();
  vens = await listeningToVens(service);
});

const scene = async (): Promise<{ player: Player; ven: TestVen }> => {
  const player = await newPlayer(service);
  return { player, ven: await vens.newVen(player.participant, { environment: "sandbox" }) };
};

const states = async (ven: TestVen): Promise<string[]> =>
  (await ven.events()).map(
    ({ descriptor: { eventId, status, modificationNumber } }) => `${eventId} ${status} ${modificationNumber}`,
  );

describe("rule 13", () => {
  test("rule 13: a VEN of the sandbox sees its account's newest scenario and nothing else", async () => {
    const { player, ven } = await scene();
    const program = await newProgram(service, [player.participant]);
    await newDispatch(service, program);
    expect(await ven.events()).toEqual([]);
    const { dispatches } = await player.play("basic");
    expect(await ven.events()).toEqual([]);
    service.clock.advance({ minutes: 10 });
    const [event] = await ven.events();
    expect(event).toMatchObject({
      descriptor: { eventId: dispatches[0]?.id, status: "far", priority: 1 },
      signals: [{ intervals: [{ level: 1 }] }],
      responseRequired: "always",
    });
    await ven.answer(await ven.events());
    expect((await ven.events())[0]?.responseRequired).toBe("never");
    const inProduction = await vens.newVen(player.participant);
    expect((await inProduction.events()).map(({ descriptor }) => descriptor.eventId)).not.toContain(dispatches[0]?.id);
  });

  test("rule 13: when a scenario is replaced its events are cancelled, until that is acknowledged", async () => {
    const { player, ven } = await scene();
    const { dispatches: before } = await player.play("basic", { notification_time: inMinutes(service, 0) });
    expect(await states(ven)).toEqual([`${before[0]?.id} far 0`]);
    const { dispatches: after } = await player.play("basic", { notification_time: inMinutes(service, 0) });
    expect(await states(ven)).toEqual([`${before[0]?.id} cancelled 1`, `${after[0]?.id} far 0`]);
    expect((await ven.events()).map(({ descriptor }) => descriptor.priority)).toEqual([1, 2]);
    await ven.answer(await ven.events());
    expect(await states(ven)).toEqual([`${after[0]?.id} far 0`]);
  });

  test("rule 13: changes of a scenario come at their times", async () => {
    const { player, ven } = await scene();
    const { dispatches } = await player.play("cancellation", { notification_time: inMinutes(service, 0) });
    const id = dispatches[0]?.id;
    await ven.answer(await ven.events());
    service.clock.advance({ minutes: 59 });
    expect(await states(ven)).toEqual([`${id} active 0`]);
    service.clock.advance({ minutes: 1 });
    expect(await states(ven)).toEqual([`${id} cancelled 1`]);
  });
});

interface Judged {
  readonly name: string;
  readonly result: string;
  readonly at: string | null;
  readonly detail: string;
}

const judged = async ({ call }: Player, id: string): Promise<Judged[]> =>
  (await call(reportScenario, { params: { id } })).body.criteria;

const resultsOf = async (player: Player, id: string): Promise<Record<string, string>> =>
  Object.fromEntries((await judged(player, id)).map(({ name, result }) => [name, result]));

/** A minute of a VEN: it polls, answers, follows the level, and its meter reports. */
const liveMinute = async ({ player, ven }: { player: Player; ven: TestVen }): Promise<void> => {
  const events = await ven.events();
  const asked = events.filter(({ responseRequired }) => responseRequired === "always");
  if (asked.length > 0) await ven.answer(asked);
  const isActive = events.some(({ descriptor: { status } }) => status === "active");
  const timestamp = inMinutes(service, 0);
  const reading = { interval_seconds: 60, timestamp, meter_id: LAKESIDE_METER, kW: isActive ? 100 : 200 };
  await player.call(uploadTelemetry, { body: { telemetry: [reading] } });
  service.clock.advance({ minutes: 1 });
};

/** Nobody is notified: its account has no webhook and does not poll. */
const deaf = async (): Promise<{ player: Player; ven: TestVen }> => {
  const each = await scene();
  const [webhook] = (await each.player.call(listWebhooks)).body.webhooks;
  await each.player.call(deleteWebhook, { params: { id: webhook?.id ?? "" } });
  return each;
};

describe("the sandbox VEN certified", () => {
  test.each([
    ["update", ["update_fetched", "curtailed_in_time", "returned_after"]],
    ["cancellation", ["update_fetched", "curtailed_in_time", "stopped_on_cancel"]],
    ["ancillary_services", ["update_fetched", "curtailed_in_time", "returned_after"]],
  ] as const)(
    "a VEN that polls, acknowledges and curtails passes everything in a scenario of type %s",
    async (type, more) => {
      const each = await deaf();
      for (let minute = 0; minute < 10; minute++) await liveMinute(each);
      const times = { start_time: inMinutes(service, 10), end_time: inMinutes(service, 22) };
      const { id } = await each.player.play(type, { notification_time: inMinutes(service, 0), ...times });
      for (let minute = 0; minute <= 40; minute++) await liveMinute(each);
      const { state } = (await each.player.call(reportScenario, { params: { id } })).body;
      expect(state).toBe("final");
      const passed = ["notified", "fetched", ...more].map((name) => [name, "passed"]);
      expect(await resultsOf(each.player, id)).toEqual(Object.fromEntries(passed));
    },
  );

  test("a poll that showed the event notifies and fetches, and the report says so", async () => {
    const { player, ven } = await deaf();
    const { id } = await player.play("basic", { notification_time: inMinutes(service, 0) });
    expect(await resultsOf(player, id)).toMatchObject({ notified: "not_seen", fetched: "not_seen" });
    service.clock.advance({ seconds: 7 });
    await ven.events();
    const at = inMinutes(service, 0);
    const criteria = await judged(player, id);
    for (const name of ["notified", "fetched"]) {
      expect(criteria.find((each) => each.name === name)).toMatchObject({
        result: "passed",
        at,
        detail: expect.stringMatching(/VEN/),
      });
    }
    const { items } = (
      await service.operator(operator.listAccountScenarios, { params: { id: player.participant.accountId } })
    ).body;
    expect(items[0]?.acts).toMatchObject([{ what: "ven_polled", modification_number: 0, count: 1 }]);
    await ven.answer(await ven.events());
    const after = (
      await service.operator(operator.listAccountScenarios, { params: { id: player.participant.accountId } })
    ).body;
    expect(after.items[0]?.acts.map(({ what, count }) => [what, count])).toEqual([
      ["ven_polled", 2],
      ["ven_acknowledged", 1],
    ]);
  });

  test("a poll that left the event out, and an error about it, are no acts", async () => {
    const { player, ven } = await deaf();
    const { id } = await player.play("back_to_back", { notification_time: inMinutes(service, 0) });
    const { events } = await ven.poll({ replyLimit: 1 });
    const shown = events[0]?.descriptor.eventId;
    await ven.answer(events, { code: "400" });
    const fetched = (await judged(player, id)).filter(({ name }) => name === "fetched");
    expect(fetched.map(({ result }) => result).toSorted()).toEqual(["not_seen", "passed"]);
    const { items } = (
      await service.operator(operator.listAccountScenarios, { params: { id: player.participant.accountId } })
    ).body;
    expect(items[0]?.acts).toMatchObject([{ what: "ven_polled", dispatch_id: shown }]);
  });

  test("an account whose scenario was deleted has its VEN told of the end", async () => {
    const { player, ven } = await deaf();
    const { id, dispatches } = await player.play("basic", { notification_time: inMinutes(service, 0) });
    await ven.answer(await ven.events());
    await player.call(deleteScenario, { params: { id } });
    expect(await states(ven)).toEqual([`${dispatches[0]?.id} cancelled 1`]);
    await ven.answer(await ven.events());
    expect(await states(ven)).toEqual([]);
  });
});
