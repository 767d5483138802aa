import fc from "fast-check";
import { expect, test } from "vitest";
import { type LackingSite, shortfallCauses } from "../../src/rules/shortfall-causes.js";

const site = (account_id: string, commitment_kw: number | null, delivered_kw: number | null): LackingSite => ({
  account_id,
  commitment_kw,
  delivered_kw,
});

test("a shortfall is that of accounts that were not notified, then of sites without readings, then of the others", () => {
  const sites = [site("a", 100, 0), site("a", 50, 40), site("b", 60, null), site("c", 80, 50), site("d", 20, 20)];
  expect(shortfallCauses(sites, new Set(["a"]), 200)).toEqual([
    { cause: "not_notified", kw: 110, count: 1 },
    { cause: "no_readings", kw: 60, count: 1 },
    { cause: "others", kw: 30, count: 2 },
  ]);
});

test("what sites deliver beyond their commitments offsets it, and none is larger than what the dispatch lacks", () => {
  const sites = [site("a", 100, 0), site("b", 50, 90), site("c", 30, null)];
  expect(shortfallCauses(sites, new Set(["a"]), 90)).toEqual([{ cause: "not_notified", kw: 90, count: 1 }]);
  expect(shortfallCauses(sites, new Set(["a"]), 0)).toEqual([]);
  expect(shortfallCauses(sites, new Set(["a"]), -20)).toEqual([]);
});

test("the parts add up, whatever the sites deliver", () => {
  const kw = fc.option(fc.double({ min: -500, max: 500, noNaN: true }));
  const anySite = fc.record({
    account_id: fc.constantFrom("a", "b", "c"),
    commitment_kw: fc.option(fc.double({ min: 0, max: 500, noNaN: true })),
    delivered_kw: kw,
  });
  fc.assert(
    fc.property(fc.array(anySite), fc.double({ min: 0, max: 2000, noNaN: true }), (sites, shortKw) => {
      const parts = shortfallCauses(sites, new Set(["a"]), shortKw);
      expect(parts.reduce((sum, part) => sum + part.kw, 0)).toBeCloseTo(shortKw, 6);
      for (const part of parts) expect(part.kw).toBeGreaterThan(0);
    }),
  );
});
