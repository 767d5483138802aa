import { describe, expect, test } from "vitest";
import { isRefusal } from "../../../src/platform/refusal.js";
import { coursesOf, type ScenarioRequest, type SimpleRequest } from "../../../src/sandbox/domain/scenario.js";

const now = new Date("2026-07-01T12:00:00Z");
const at = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000);
const program = { name: "Peak", timezone: "UTC", market: "", programType: "capacity" };

const request = (
  type: SimpleRequest["type"],
  more: Partial<SimpleRequest & { speed: number }> = {},
): ScenarioRequest => ({
  type,
  name: null,
  speed: 1,
  notification: at(10),
  start: at(30),
  end: at(90),
  cancel: null,
  minutesBetween: 0,
  test: false,
  program,
  sites: [{ id: "", name: "Mine", customerLocationId: "", commitmentKw: 5 }],
  ...more,
});

/** Minutes from now of each state: when it applies, start, end, and whether it is authorized. */
const courses = (of: ScenarioRequest): unknown => {
  const made = coursesOf(of, now);
  if (isRefusal(made)) return made.message;
  const minutes = (date: Date | null) => (date === null ? null : (date.getTime() - now.getTime()) / 60_000);
  return made.map((course) =>
    course.map((state) => [minutes(state.at), minutes(state.start), minutes(state.end), state.authorized]),
  );
};

const state = (minute: number, authorized: boolean) => ({
  at: at(minute),
  authorized,
  test: true,
  start: at(60),
  end: null,
  program,
  sites: [],
});

describe("the course of a scenario", () => {
  test.each<[ScenarioRequest["type"], ScenarioRequest, unknown]>([
    ["basic", request("basic"), [[[10, 30, 90, true]]]],
    ["basic", request("basic", { notification: null, end: null }), [[[0, 30, null, true]]]],
    [
      "ancillary_services",
      request("ancillary_services"),
      [
        [
          [10, 30, null, true],
          [90, 30, 90, true],
        ],
      ],
    ],
    [
      "ancillary_services",
      request("ancillary_services", { end: null }),
      [
        [
          [10, 30, null, true],
          [40, 30, 40, true],
        ],
      ],
    ],
    ["back_to_back", request("back_to_back"), [[[10, 30, 90, true]], [[10, 90, 150, true]]]],
    ["back_to_back", request("back_to_back", { minutesBetween: 7 }), [[[10, 30, 90, true]], [[10, 97, 157, true]]]],
    [
      "update",
      request("update"),
      [
        [
          [10, 30, 90, true],
          [20, 45, 105, true],
        ],
      ],
    ],
    [
      "cancellation",
      request("cancellation"),
      [
        [
          [10, 30, 90, true],
          [60, 30, 90, false],
        ],
      ],
    ],
    [
      "cancellation",
      request("cancellation", { cancel: at(10) }),
      [
        [
          [10, 30, 90, true],
          [10, 30, 90, false],
        ],
      ],
    ],
    [
      "cancellation",
      request("cancellation", { cancel: at(90) }),
      [
        [
          [10, 30, 90, true],
          [90, 30, 90, false],
        ],
      ],
    ],
    ["basic", request("basic", { speed: 10 }), [[[1, 3, 9, true]]]],
    [
      "update",
      request("update", { speed: 5 }),
      [
        [
          [2, 6, 18, true],
          [4, 9, 21, true],
        ],
      ],
    ],
    [
      "back_to_back",
      request("back_to_back", { minutesBetween: 10, speed: 10 }),
      [[[1, 3, 9, true]], [[1, 10, 16, true]]],
    ],
    ["basic", request("basic", { notification: at(-1), start: at(-1) }), [[[-1, -1, 90, true]]]],
  ])("%s is decided when it is made", (_, of, expected) => {
    expect(courses(of)).toEqual(expected);
  });

  test("of custom type keeps the given states, sped up if requested", () => {
    const custom = {
      type: "custom",
      name: null,
      speed: 2,
      courses: [{ label: "A", states: [state(-20, true), state(4, false)] }],
    } as const;
    expect(courses(custom)).toEqual([
      [
        [-10, 30, null, true],
        [2, 30, null, false],
      ],
    ]);
  });

  test("names sites a thousand times at most, over all its states", () => {
    const sites = Array.from({ length: 500 }, () => ({ id: "", name: "", customerLocationId: "", commitmentKw: 5 }));
    expect(courses(request("update", { sites }))).toHaveLength(1);
    expect(courses(request("update", { sites: sites.concat(sites.slice(0, 1)) }))).toMatch(
      /1002 times; the maximum per scenario is 1000/,
    );
  });
});
