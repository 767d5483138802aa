import { describe, expect, test } from "vitest";
import { afterPoll, isWorthKeeping, type Polls } from "../../../src/openadr/domain/polls.js";

const noon = new Date("2026-07-01T12:00:00Z");
const after = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);
const polls = (intervalSeconds: number | null, lastAt = noon): Polls => ({ lastAt, intervalSeconds });

describe("the usual interval of polls", () => {
  test("is unknown after one poll, and known after two", () => {
    expect(afterPoll(null, noon)).toEqual(polls(null));
    expect(afterPoll(polls(null), after(30))).toEqual(polls(30, after(30)));
  });

  test("follows slowly, so that one late poll changes little", () => {
    expect(afterPoll(polls(30), after(130))).toEqual(polls(50, after(130)));
  });

  test("is not changed by a pause of more than an hour, nor by polls of the same moment", () => {
    expect(afterPoll(polls(30), after(3601))).toEqual(polls(30, after(3601)));
    expect(afterPoll(polls(30), noon)).toEqual(polls(30));
  });
});

test.each<[string, Polls | null, Polls, boolean]>([
  ["the first poll", null, polls(null), true],
  ["an interval that was unknown", polls(null), polls(30, after(1)), true],
  ["polls as before", polls(30), polls(31, after(59)), false],
  ["polls as before, a minute later", polls(30), polls(30, after(60)), true],
  ["a different interval", polls(30), polls(38, after(5)), true],
])("%s: worth keeping or not", (_, kept, now, expected) => {
  expect(isWorthKeeping(kept, now)).toBe(expected);
});
