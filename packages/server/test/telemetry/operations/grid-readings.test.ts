import { expect, test } from "vitest";
import { readingsOf } from "../../../src/telemetry/operations/grid-readings.js";

test("readings of some meters keep their order and their values, with the keys that they have", () => {
  const keys = [1, 2, 3].map((site) => ({ site, meter: site * 10 }));
  const all = {
    count: 4,
    keys,
    source: Int32Array.from([2, 0, 1, 2]),
    lastCell: Int32Array.from([5, 6, 7, 8]),
    cellCount: Int32Array.from([1, 2, 3, 4]),
    powerKw: Float64Array.from([0.5, 1.5, 2.5, 3.5]),
  };
  expect(readingsOf(all, ({ site }) => site !== 1)).toEqual({
    count: 3,
    keys: [keys[1], keys[2]],
    source: Int32Array.from([1, 0, 1]),
    lastCell: Int32Array.from([5, 7, 8]),
    cellCount: Int32Array.from([1, 3, 4]),
    powerKw: Float64Array.from([0.5, 2.5, 3.5]),
  });
});
