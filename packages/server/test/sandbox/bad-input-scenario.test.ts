import { scenarioTypes } from "@curtail/contract";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError, expectNoFailure } from "../support/expect-error.js";
import { type Running, running } from "../support/running.js";
import { inMinutes, LAKESIDE, newPlayer, program, scenarioOf, sites } from "../support/scenario.js";

let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000", CURTAIL_RATE_LIMIT_DISPATCHES: "100000" });
});

const minutes = (count: number): string => inMinutes(service, count);

const later = (notification_time: string) => ({
  notification_time,
  start_time: minutes(1500),
  end_time: minutes(1600),
});
const customState = (named: readonly object[] = sites) => ({
  published_time: minutes(0),
  dispatch: { start_time: minutes(30), end_time: minutes(90), program, sites: named },
});
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
    ["with a notice a minute and a second back", () => ({ notification_time: minutes(-61 / 60) }), /minute back/],
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
    ["cancelled before its notice", () => ({ ...cancelled, cancel_time: minutes(9) }), /cancel_time must lie/],
    ["cancelled after its end", () => ({ ...cancelled, cancel_time: minutes(91) }), /cancel_time must lie/],
  ];
  test.each(refusals)("%s", async (_, more, why) => {
    const body = scenarioOf(service, "basic", more());
    expectError(await service.publicCall("POST", "/scenarios", body), 400, why);
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
    expectError(await call("POST", "/scenarios", scenarioOf(service, "basic")), 404);
    expectError(await call("GET", "/scenarios/scn_1/report"), 404);
  });
});

test("F: whatever nearly good scenario is played, none ends in a failure of ours, nor does what follows", async () => {
  const { call } = await newPlayer(service);
  const time = fc.oneof(
    fc.integer({ min: -3, max: 120 }).map(minutes),
    fc.constantFrom(minutes(0), minutes(0.000_02), minutes(525_000), "1970-01-01T00:00:00Z", "9999-12-31T00:00:00Z"),
  );
  const someTime = fc.option(time, { nil: undefined });
  const site = fc.record(
    {
      id: fc.constantFrom("", LAKESIDE, "x"),
      name: fc.constantFrom("a", "b", "\u{1f4a1}"),
      commitment: fc.nat(10_000_000),
    },
    { requiredKeys: [] },
  );
  const someSites = fc.array(site, { minLength: 1, maxLength: 3 });
  const dispatch = fc.record(
    {
      authorized: fc.boolean(),
      start_time: time,
      end_time: fc.option(time),
      sites: someSites,
      program: fc.constant(program),
    },
    { requiredKeys: ["start_time", "sites", "program"] },
  );
  const states = fc.array(fc.record({ published_time: time, dispatch }), { minLength: 1, maxLength: 4 });
  const body = fc.record({
    scenario_type: fc.constantFrom(...scenarioTypes),
    notification_time: someTime,
    start_time: time,
    end_time: fc.option(time),
    cancel_time: someTime,
    minutes_between_dispatches: fc.constantFrom(undefined, 0, 1440),
    speed: fc.constantFrom(undefined, 1, 1.5, 599.9, 600),
    sites: someSites,
    program: fc.constant(program),
    dispatches: fc.dictionary(fc.constantFrom("A", "B", "1", "__proto__x"), fc.record({ states }), { minKeys: 1 }),
  });
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(body, async (scenario) => {
      const answer = await call("POST", "/scenarios", scenario);
      statuses.add(answer.status);
      expectNoFailure(answer);
      expect((await call("GET", "/dispatches")).status).toBe(200);
      if (answer.status === 200) expect((await call("GET", `/scenarios/${answer.body.id}/report`)).status).toBe(200);
    }),
    { numRuns: 200 },
  );
  expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 400]);
}, 60_000);
