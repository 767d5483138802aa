import { expect, test } from "vitest";
import { aDispatch, at, listed } from "./support/examples.js";

test("rule 5: createdDateTime is the time of the answer", () => {
  expect(listed(at("13:00:00"), aDispatch())[0]?.descriptor.createdAt).toEqual(at("13:00:00"));
});

test.each([
  ["12:30:00", 0],
  ["17:55:00", 0],
  ["18:00:00", 2],
  ["19:30:00", 0],
])("rule 5: at %s the current value is %d", (time, level) => {
  expect(listed(at(time), aDispatch())[0]?.signals[0]?.currentLevel).toBe(level);
});

test("rule 5: uid counts from 0, and the intervals add up to the active period", () => {
  const [event] = listed(at("13:00:00"), aDispatch());
  expect(event?.signals[0]?.intervals).toEqual([{ durationSeconds: 5400, uid: "0", level: 2 }]);
  expect(event?.activePeriod.durationSeconds).toBe(5400);
});
