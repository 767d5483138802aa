import fc from "fast-check";
import { expect, test } from "vitest";
import { Allowance } from "../../../src/platform/mdns/allowance.js";

test("however often it is asked, an allowance lets so many through in a period, and never more", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400)), fc.integer({ min: 1, max: 5 }), (pauses, most) => {
      const allowance = new Allowance(most, 1000);
      let nowMs = 0;
      const passed: number[] = [];
      for (const pause of pauses) {
        nowMs += pause;
        if (allowance.take(nowMs)) passed.push(nowMs);
        else expect(passed.filter((each) => nowMs - each < 1000).length).toBeGreaterThanOrEqual(1);
      }
      // In each period the first one that passes begins it.
      for (let begin = 0; begin < passed.length; begin += 1) {
        const within = passed.slice(begin).filter((each) => each - (passed[begin] ?? 0) < 1000);
        expect(within.length).toBeLessThanOrEqual(2 * most - 1);
      }
    }),
  );
});

test("after its period an allowance is whole again", () => {
  const allowance = new Allowance(2, 1000);
  expect([0, 1, 2, 999, 1000, 1001, 1002].map((at) => allowance.take(at))).toEqual([
    true,
    true,
    false,
    false,
    true,
    true,
    false,
  ]);
});
