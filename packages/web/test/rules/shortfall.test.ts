import { describe, expect, test } from "vitest";
import { type Site, shortfallOf, sortedSites } from "../../src/rules/shortfall.js";
import { countStatuses } from "../../src/rules/status.js";

const site = (name: string, of: { committed?: number | null; now?: number | null; mean?: number; colour?: string }) =>
  ({
    name,
    commitment_kw: of.committed === undefined ? 100 : of.committed,
    latest: of.now === undefined || of.now === null ? null : { reduction_kw: of.now },
    mean_reduction_kw: of.mean ?? null,
    status: { colour: of.colour ?? "green" },
  }) as unknown as Site;
const names = (sites: readonly Site[]) => sites.map(({ name }) => name);

describe("the shortfall of a site", () => {
  test("is of now while the dispatch runs, and of the mean once it is over", () => {
    expect(shortfallOf(site("A", { now: 60, mean: 90 }), true)).toBe(40);
    expect(shortfallOf(site("A", { now: 60, mean: 90 }), false)).toBe(10);
  });

  test("is not known without a commitment or a measurement", () => {
    expect(shortfallOf(site("A", { committed: null, now: 60 }), true)).toBeNull();
    expect(shortfallOf(site("A", { mean: 90 }), true)).toBeNull();
  });

  test("is below zero for a site that delivers more", () => {
    expect(shortfallOf(site("A", { now: 130 }), true)).toBe(-30);
  });
});

describe("the sites of a dispatch", () => {
  const sites = [
    site("Over", { now: 130, colour: "blue" }),
    site("Unknown", { colour: "grey" }),
    site("Little", { now: 90, colour: "amber" }),
    site("Much", { now: 10, colour: "red" }),
    site("Also much", { now: 10, colour: "red" }),
  ];

  test("stand by shortfall, those not known between those that fall short and those that do not", () => {
    expect(names(sortedSites(sites, "shortfall", true))).toEqual(["Also much", "Much", "Little", "Unknown", "Over"]);
  });

  test("stand by status, what needs somebody first", () => {
    expect(names(sortedSites(sites, "status", true))).toEqual(["Also much", "Much", "Little", "Unknown", "Over"]);
    const two = [site("A", { colour: "green" }), site("B", { colour: "grey" })];
    expect(names(sortedSites(two, "status", true))).toEqual(["B", "A"]);
  });

  test("stand by name", () => {
    expect(names(sortedSites(sites, "name", true))).toEqual(["Also much", "Little", "Much", "Over", "Unknown"]);
  });

  test("are counted by status", () => {
    expect(countStatuses(sites)).toEqual({ red: 2, amber: 1, grey: 1, green: 0, blue: 1 });
  });
});
