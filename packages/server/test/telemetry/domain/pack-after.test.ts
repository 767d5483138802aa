import { expect, test } from "vitest";
import { packAfterDays } from "../../../src/telemetry/domain/pack-after.js";

test("readings are packed after as many days as the operator says, else as the store keeps", () => {
  expect(packAfterDays(7, "3")).toBe(7);
  expect(packAfterDays(7, null)).toBe(7);
  expect(packAfterDays(null, "3")).toBe(3);
});

test("nothing is packed where the operator says so, or in a store that is older than that", () => {
  expect(packAfterDays("off", "3")).toBeNull();
  expect(packAfterDays(null, null)).toBeNull();
});
