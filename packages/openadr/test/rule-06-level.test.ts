import { expect, test } from "vitest";
import { defaultLevel } from "../src/dispatch.js";
import { aDispatch, at, listed } from "./support/examples.js";

test("rule 6: the level is 1 for ancillary services by default, else 2", () => {
  expect(defaultLevel("ancillary_services")).toBe(1);
  expect(defaultLevel("capacity")).toBe(2);
});

test.each([1, 2] as const)("rule 6: level %d goes out as a simple level signal", (level) => {
  const [signal] = listed(at("18:30:00"), aDispatch({ level }))[0]?.signals ?? [];
  expect(signal).toMatchObject({ name: "simple", type: "level", currentLevel: level });
  expect(signal?.intervals.map((interval) => interval.level)).toEqual([level]);
});
