import {
  createScenario,
  createTestDispatch,
  deleteScenario,
  getDispatch,
  listScenarios,
  reportScenario,
  uploadTelemetry,
} from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { minutes, prepare, service } from "../support/requests-of-scenarios.js";
import {
  inMinutes,
  LAKESIDE,
  listed,
  newPlayer,
  type Player,
  program,
  scenarioOf,
  sites,
} from "../support/scenario.js";

beforeAll(prepare);

const customState = (named: readonly object[] = sites) => ({
  published_time: minutes(0),
  dispatch: { start_time: minutes(30), end_time: minutes(90), program, sites: named },
});

const later = (notification_time: string) => ({
  notification_time,
  start_time: minutes(1500),
  end_time: minutes(1600),
});

describe("POST /scenarios", () => {
  const cancelled = { scenario_type: "cancellation" };

  describe("a scenario is refused", () => {
    const refusals: Array<[string, () => object, RegExp]> = [
      ["F3: without its type", () => ({ scenario_type: undefined }), /scenario_type is missing/],
      ["F3: without a start", () => ({ start_time: undefined }), /start_time is missing/],
      ["F3: without an end", () => ({ end_time: undefined }), /end_time is missing/],
      ["F3: without sites", () => ({ sites: undefined }), /sites is missing/],
      ["F3: with no site", () => ({ sites: [] }), /sites/],
      ["F3: without a program", () => ({ program: undefined }), /program is missing/],
      ["F3: without the program's zone", () => ({ program: { ...program, timezone: undefined } }), /program.timezone/],
      ["of an unknown type", () => ({ scenario_type: "chaos" }), /basic, ancillary_services/],
      ["with a start before the notice", () => ({ start_time: minutes(9) }), /start_time must not be before/],
      [
        "with a notice a minute and a second back",
        () => ({ notification_time: minutes(-61 / 60) }),
        /minute in the past/,
      ],
      ["with a notice a day and a second ahead", () => later(minutes(1440 + 1 / 60)), /24 hours/],
      ["with a late notice, whatever its speed", () => ({ ...later(minutes(1441)), speed: 600 }), /24 hours/],
      ["with an end at the start", () => ({ end_time: minutes(30) }), /after start_time/],
      ["with a time without an offset", () => ({ start_time: "2030-01-01T00:00:00" }), /start_time/],
      ["with a fraction as commitment", () => ({ sites: [{ ...sites[0], commitment: 1.5 }] }), /whole number/],
      ["with a negative commitment", () => ({ sites: [{ ...sites[0], commitment: -1 }] }), /at least 0/],
      ["with a site twice", () => ({ sites: [...sites, { id: LAKESIDE }] }), /Lakeside Store twice/],
      ["with a zone that is none", () => ({ program: { ...program, timezone: "Mars" } }), /IANA/],
      ["with a site that says nothing", () => ({ sites: [...sites, {}] }), /sites\[1\]/],
      ["with a site that has a commitment alone", () => ({ sites: [{ commitment: 5 }] }), /sites\[0\]/],
      ["with a site of empty names", () => ({ sites: [{ id: "", name: "", customer_location_id: "" }] }), /sites\[0\]/],
      ["with an unknown id twice", () => ({ sites: [{ id: "x" }, { id: "x", name: "y" }] }), /twice/],
      ["at no speed", () => ({ speed: 0.5 }), /speed is 0.5/],
      ["at too much speed", () => ({ speed: 601 }), /speed is 601/],
      ["too short for its speed", () => ({ speed: 600, end_time: minutes(30 + 0.005) }), /lower one/],
      ["with a NUL in a name", () => ({ sites: [{ name: "a\u0000" }] }), /sites\[0\]\.name/],
      ["open, where it has to end", () => ({ scenario_type: "update", end_time: null }), /needs an end_time/],
      ["cancelled before its notice", () => ({ ...cancelled, cancel_time: minutes(9) }), /cancel_time must be between/],
      ["cancelled after its end", () => ({ ...cancelled, cancel_time: minutes(91) }), /cancel_time must be between/],
    ];
    test.each(refusals)("%s", async (_, more, why) => {
      const body = scenarioOf(service, "basic", more());
      expectError(await service.publicCall(createScenario, { body }), 400, why);
    });

    test.each([
      ["without a name", ""],
      ["with a name of 101 characters", "L".repeat(101)],
    ])("with a dispatch %s", async (_, label) => {
      const body = { scenario_type: "custom", dispatches: { [label]: { states: [customState()] } } };
      expectError(await service.publicCall("POST", "/scenarios", body), 400, /dispatches/);
    });

    test("not for a dispatch with a name of 1 or 100 characters", async () => {
      const states = [customState()];
      const body = { scenario_type: "custom", dispatches: { L: { states }, ["L".repeat(100)]: { states } } };
      expect((await service.publicCall("POST", "/scenarios", body)).status).toBe(200);
    });

    test("with a site of a custom state that says nothing", async () => {
      const body = { scenario_type: "custom", dispatches: { A: { states: [customState([{}])] } } };
      expectError(await service.publicCall("POST", "/scenarios", body), 400, /dispatches\.A\.states\[0\].*sites\[0\]/);
    });

    test.each([
      ["site that says nothing", () => customState([{}])],
      ["state that is published too late", () => ({ ...customState(), published_time: minutes(50_000) })],
    ])("with a %s, quoting at most 60 characters of its label", async (_, state) => {
      const label = `\u0007${"L".repeat(99)}`;
      const body = { scenario_type: "custom", dispatches: { [label]: { states: [state()] } } };
      const quoted = new RegExp(`^dispatches\\.\ufffdL{58}…\\.states\\[0\\]: `);
      expectError(await service.publicCall("POST", "/scenarios", body), 400, quoted);
    });

    test("F1: in production, though not at all", async () => {
      const { call } = await service.newParticipant();
      expectError(await call(createScenario, { body: scenarioOf(service, "basic") }), 404);
      expectError(await call(reportScenario, { params: { id: "scn_1" } }), 404);
    });
  });
});

const scenariosOf = async ({ call }: Pick<Player, "call">): Promise<Array<{ id: string }>> =>
  (await call(listScenarios)).body.scenarios;

const idsOf = async (player: Player): Promise<string[]> => (await scenariosOf(player)).map(({ id }) => id);

describe("scenarios that were made", () => {
  describe("an account's scenarios", () => {
    test("are listed newest first, as POST answered them, and no other account's", async () => {
      const [player, other] = [await newPlayer(service), await newPlayer(service)];
      expect((await player.call(listScenarios)).body).toEqual({ page: 0, perPage: 0, scenarios: [] });
      const [first, second] = [await player.play("basic"), await player.play("back_to_back")];
      await other.play("basic");
      expect(await scenariosOf(player)).toEqual([second, first]);
    });

    test("hold those that POST /dispatches made", async () => {
      const player = await newPlayer(service);
      const period = { start_time: inMinutes(service, 10), end_time: inMinutes(service, 20) };
      const { body } = await player.call(createTestDispatch, { body: period });
      expect(await scenariosOf(player)).toMatchObject([{ scenario_type: "basic", dispatches: [{ id: body.id }] }]);
    });

    test("are none in production", async () => {
      const { call } = await service.newParticipant();
      expectError(await call(listScenarios), 404);
      expectError(await call(deleteScenario, { params: { id: "scn_1" } }), 404);
    });

    test("are none for the public key, and it can delete none", async () => {
      const { body } = await service.publicCall(createScenario, { body: scenarioOf(service, "basic") });
      expect((await service.publicCall(listScenarios)).body.scenarios).toEqual([]);
      expectError(await service.publicCall(deleteScenario, { params: { id: body.id } }), 404, /No such scenario/);
    });
  });

  describe("a scenario that is deleted", () => {
    test("ends: its dispatches vanish, nothing more is notified, and the fixed dispatch is back", async () => {
      const player = await newPlayer(service);
      const scenario = await player.play("basic", { notification_time: inMinutes(service, 5) });
      const deleted = await player.call(deleteScenario, { params: { id: scenario.id } });
      expect(deleted.status).toBe(200);
      expect(deleted.body).toEqual(scenario);
      expect((await listed(player)).map(({ id }) => id)).toEqual(["dis_sandbox"]);
      expectError(await player.call(getDispatch, { params: { id: scenario.dispatches[0]?.id ?? "" } }), 404);
      service.clock.advance({ minutes: 6 });
      await player.play("basic", { notification_time: inMinutes(service, 0) });
      const [notice] = await player.hook.notices(1);
      expect(notice?.resource).not.toContain(scenario.dispatches[0]?.id);
      expect(player.hook.received.filter(({ event }) => event !== "")).toHaveLength(1);
    });

    test("is gone from the list and has no report; deleted again it is not found", async () => {
      const player = await newPlayer(service);
      const [first, second] = [await player.play("basic"), await player.play("basic")];
      expect((await player.call(deleteScenario, { params: { id: first.id } })).body).toEqual(first);
      expect(await idsOf(player)).toEqual([second.id]);
      expectError(await player.call(reportScenario, { params: { id: first.id } }), 404, /No such scenario/);
      expectError(await player.call(deleteScenario, { params: { id: first.id } }), 404, /No such scenario/);
      expect((await player.call(getDispatch, { params: { id: first.dispatches[0]?.id ?? "" } })).status).toBe(404);
      await player.call(deleteScenario, { params: { id: second.id } });
      expect(await idsOf(player)).toEqual([]);
      expect((await listed(player)).map(({ id }) => id)).toEqual(["dis_sandbox"]);
    });

    test("is not found where it is another account's or nobody's", async () => {
      const [player, other] = [await newPlayer(service), await newPlayer(service)];
      const { id } = await other.play("basic");
      const foreign = await player.call(deleteScenario, { params: { id } });
      expectError(foreign, 404, /No such scenario/);
      expect((await player.call(deleteScenario, { params: { id: "scn_none" } })).text).toBe(foreign.text);
      expect(await idsOf(other)).toEqual([id]);
    });
  });

  test("a deleted or replaced scenario keeps the readings of no other: its own report was judged by its own", async () => {
    const player = await newPlayer(service);
    const { id } = await player.play("basic");
    const reading = { interval_seconds: 60, timestamp: inMinutes(service, 0), site_id: LAKESIDE, kW: 1 };
    await player.call(uploadTelemetry, { body: { telemetry: [reading] } });
    await player.call(deleteScenario, { params: { id } });
    expect((await player.call(uploadTelemetry, { body: { telemetry: [reading] } })).body).toEqual({ received: 1 });
  });
});
