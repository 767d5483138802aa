import { expect, test } from "vitest";
import { overlappingIn } from "../../../src/settlement/domain/overlapping.js";

interface Lasting {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** Numbers that look random and are the same in each run. */
const numbers = (seed: number) => () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;

const overlap = (one: Lasting, other: Lasting): boolean =>
  one.id !== other.id && one.startMs < other.endMs && other.startMs < one.endMs;

test("finds what a comparison of all with all finds, in the same order", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const next = numbers(seed);
    const all = Array.from({ length: 40 }, (_, index) => {
      const startMs = Math.floor(next() * 100);
      const endMs = next() < 0.05 ? Number.POSITIVE_INFINITY : startMs + Math.floor(next() * 20);
      return { id: `dis_${index}`, startMs, endMs };
    }).toSorted((a, b) => a.startMs - b.startMs);
    const overlapping = overlappingIn(all);
    for (const one of all) expect(overlapping(one)).toEqual(all.filter((other) => overlap(one, other)));
  }
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
