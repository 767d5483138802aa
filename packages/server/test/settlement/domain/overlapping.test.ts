import fc from "fast-check";
import { expect, test } from "vitest";
import { overlappingIn } from "../../../src/settlement/domain/overlapping.js";

interface Lasting {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
}

const overlap = (one: Lasting, other: Lasting): boolean =>
  one.id !== other.id && one.startMs < other.endMs && other.startMs < one.endMs;

const lasting = fc
  .record({ startMs: fc.nat(100), lastsMs: fc.oneof(fc.nat(20), fc.constant(Number.POSITIVE_INFINITY)) })
  .map(({ startMs, lastsMs }) => ({ startMs, endMs: startMs + lastsMs }));

test("finds what a comparison of all with all finds, in the same order", () => {
  fc.assert(
    fc.property(fc.array(lasting, { maxLength: 40 }), (times) => {
      const all = times
        .map((each, index) => ({ id: `dis_${index}`, ...each }))
        .toSorted((a, b) => a.startMs - b.startMs);
      const overlapping = overlappingIn(all);
      for (const one of all) expect(overlapping(one)).toEqual(all.filter((other) => overlap(one, other)));
    }),
  );
});

test("compares a dispatch with its neighbours, not with all of a month", () => {
  let compared = 0;
  const all = Array.from({ length: 10_000 }, (_, index) => ({
    id: `dis_${index}`,
    startMs: index * 4,
    get endMs() {
      compared += 1;
      return this.startMs + 60;
    },
  }));
  const overlapping = overlappingIn(all);
  for (const one of all) overlapping(one);
  expect(compared).toBeLessThan(all.length * 50);
});
