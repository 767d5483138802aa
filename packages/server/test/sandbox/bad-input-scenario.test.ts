import { beforeAll, describe, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { type Running, running } from "../support/running.js";
import { inMinutes, LAKESIDE, program, scenarioOf, sites } from "../support/scenario.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const minutes = (count: number): string => inMinutes(service, count);

const later = (notification_time: string) => ({
  notification_time,
  start_time: minutes(1500),
  end_time: minutes(1600),
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

  test("F1: in production, though not at all", async () => {
    const { call } = await service.newParticipant();
    expectError(await call("POST", "/scenarios", scenarioOf(service, "basic")), 404);
    expectError(await call("GET", "/scenarios/scn_1/report"), 404);
  });
});
