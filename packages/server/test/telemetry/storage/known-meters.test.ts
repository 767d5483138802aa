import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { KnownMeters } from "../../../src/telemetry/storage/known-meters.js";
import { NumbersByKey } from "../../../src/telemetry/storage/numbers-by-key.js";

const key = fc.oneof(fc.integer({ min: -2100, max: 2100 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));

test("a number of a key is what was set last, whatever the keys, and keys are listed in their order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(key, fc.integer({ min: 1, max: 9 }))),
      fc.integer({ min: 1, max: 9 }),
      (set, least) => {
        const [numbers, model] = [new NumbersByKey(), new Map(set)];
        for (const [each, value] of set) numbers.set(each, value);
        for (const [each, value] of model) expect(numbers.get(each)).toBe(value);
        const listed = [...numbers.keys(() => least)].flat();
        const expected = [...model].filter(([, value]) => value >= least).map(([each]) => each);
        expect(listed).toEqual(expected.toSorted((a, b) => a - b));
      },
    ),
    { numRuns: propertyRuns(100) },
  );
});

test("meters are known by id with account, site and number, until there are more than may be", () => {
  const known = new KnownMeters(2);
  const meters = ["met_a", "met_b", "met_c"].map(
    (id, nth) => [id, { accountId: `acc_${nth % 2}`, key: { site: 10 + nth, meter: 20 + nth } }] as const,
  );
  known.add(meters);
  expect(meters.map(([id]) => known.get(id))).toEqual(meters.map(([, meter]) => meter));
  expect(known.get("met_d")).toBeUndefined();
  known.add(meters.slice(0, 1));
  expect(meters.map(([id]) => known.get(id)?.accountId)).toEqual(["acc_0", undefined, undefined]);
});
