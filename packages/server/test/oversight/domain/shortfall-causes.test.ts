import { type AlarmCause, alarmCauseNames } from "@curtail/contract/lists/alarm-causes";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explainShortfall, type LackingSite } from "../../../src/oversight/domain/shortfall-causes.js";

const site = (siteId: string, kw: number, accountId = `of ${siteId}`): LackingSite => ({ siteId, accountId, kw });

const explained = (sites: Partial<Record<AlarmCause, readonly LackingSite[]>>, shortfallKw: number | null) =>
  explainShortfall(new Map(Object.entries(sites) as Array<[AlarmCause, readonly LackingSite[]]>), shortfallKw);

describe("a shortfall", () => {
  test("is attributed to causes in their order, and what they do not explain is the rest", () => {
    const { causes, restKw } = explained(
      {
        no_readings: [site("c", 30)],
        not_notified: [site("a", 410, "Norrowbank"), site("b", 290, "Emberly")],
        opted_out: [site("d", 340)],
      },
      1200,
    );
    expect([...causes]).toEqual([
      ["not_notified", { kw: 700, first: { accountId: "Norrowbank", kw: 410 } }],
      ["opted_out", { kw: 340, first: { accountId: "of d", kw: 340 } }],
      ["no_readings", { kw: 30, first: { accountId: "of c", kw: 30 } }],
    ]);
    expect(restKw).toBe(130);
  });

  test("gives a site with two causes to the first of them", () => {
    const both = site("a", 100);
    const { causes } = explained({ not_notified: [both], no_readings: [both, site("b", 20)] }, 500);
    expect(causes.get("no_readings")).toEqual({ kw: 20, first: { accountId: "of b", kw: 20 } });
  });

  test("that others offset leaves the later causes less, and no account more than its cause", () => {
    const { causes, restKw } = explained({ not_notified: [site("a", 300)], opted_out: [site("b", 200)] }, 350);
    expect(causes.get("opted_out")).toEqual({ kw: 50, first: { accountId: "of b", kw: 50 } });
    expect(restKw).toBe(0);
  });

  test("that is not measured yet is what the sites committed", () => {
    expect(explained({ not_notified: [site("a", 300)] }, null)).toEqual({
      causes: new Map([["not_notified", { kw: 300, first: { accountId: "of a", kw: 300 } }]]),
      restKw: 0,
    });
  });
});

describe("any causes of any shortfall", () => {
  const anySite = fc.record({
    siteId: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
    accountId: fc.constantFrom("x", "y", "z"),
    kw: fc.double({ min: -50, max: 1000, noNaN: true }),
  });
  const anyCauses = fc.dictionary(fc.constantFrom(...alarmCauseNames), fc.array(anySite, { maxLength: 12 }));
  const anyShortfall = fc.double({ min: 0, max: 3000, noNaN: true });

  test("add up to it with the rest, and count each site once", () => {
    fc.assert(
      fc.property(anyCauses, anyShortfall, (sites, shortfallKw) => {
        const { causes, restKw } = explained(sites, shortfallKw);
        const parts = [...causes.values()].map(({ kw }) => kw);
        const sum = parts.reduce((total, kw) => total + kw, 0);
        expect(sum + restKw).toBeCloseTo(shortfallKw, 6);
        expect(Math.min(restKw, ...parts)).toBeGreaterThanOrEqual(0);
        const firsts = new Map<string, number>();
        for (const cause of alarmCauseNames)
          for (const { siteId, kw } of sites[cause] ?? []) if (!firsts.has(siteId)) firsts.set(siteId, Math.max(0, kw));
        expect(sum).toBeCloseTo(
          Math.min(
            shortfallKw,
            [...firsts.values()].reduce((total, kw) => total + kw, 0),
          ),
          6,
        );
      }),
    );
  });

  test("are explained the same way in whichever order their sites of different accounts come", () => {
    const distinct = fc.uniqueArray(anySite, { selector: ({ siteId }) => siteId });
    fc.assert(
      fc.property(distinct, anyShortfall, (sites, shortfallKw) => {
        const [there, back] = [sites, sites.toReversed()].map((not_notified) =>
          explained({ not_notified }, shortfallKw),
        );
        expect(there?.causes.get("not_notified")?.first?.accountId).toBe(
          back?.causes.get("not_notified")?.first?.accountId,
        );
        expect(there?.restKw).toBeCloseTo(back?.restKw ?? -1, 6);
      }),
    );
  });
});
