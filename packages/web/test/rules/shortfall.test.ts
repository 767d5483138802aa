import { describe, expect, test } from "vitest";
import { neighboursOf, nextSorting, sortedSites, sortingOf } from "../../src/rules/shortfall.js";
import {
  countStates,
  halfOfShortfall,
  type MeasuredSite,
  rowAt,
  rowOf,
  type SiteRow,
  type SiteState,
  shortfallStrip,
} from "../../src/rules/site-row.js";
import { countStatuses } from "../../src/rules/status.js";

const measured = (
  name: string,
  of: { committed?: number | null; now?: number | null; mean?: number; colour?: string },
) =>
  ({
    site_id: name,
    name,
    account_id: "anna",
    commitment_kw: of.committed === undefined ? 100 : of.committed,
    latest:
      of.now === undefined || of.now === null ? null : { reduction_kw: of.now, timestamp: "2026-06-10T18:00:00Z" },
    mean_reduction_kw: of.mean ?? null,
    status: { colour: of.colour ?? "green" },
  }) as unknown as MeasuredSite;

const live = { isLive: true, notNotified: new Set<string>() };
const site = (...of: Parameters<typeof measured>): SiteRow => rowOf(measured(...of), live);
const names = (sites: readonly SiteRow[]) => sites.map(({ name }) => name);
const sorted = (of: readonly SiteRow[], sorting: string) =>
  names(sortedSites(of, sortingOf(sorting, true), (id) => id));

describe("the shortfall of a site", () => {
  test("is of now while the dispatch runs, and of the mean once it is over", () => {
    const both = measured("A", { now: 60, mean: 90 });
    expect(rowOf(both, live).short_kw).toBe(40);
    expect(rowOf(both, { ...live, isLive: false }).short_kw).toBe(10);
  });

  test("is all of its commitment without a measurement, and unknown without a commitment", () => {
    expect(site("A", { committed: null, now: 60 }).short_kw).toBeNull();
    expect(site("A", { mean: 90, colour: "grey" })).toMatchObject({
      short_kw: 100,
      delivered_kw: null,
      state: "no_readings",
    });
  });

  test("is below zero for a site that delivers more", () => {
    expect(site("A", { now: 130 }).short_kw).toBe(-30);
  });
});

describe("the state of a site", () => {
  test("is that of its account, as long as that was not notified", () => {
    const red = measured("A", { now: 10, colour: "red" });
    expect(rowOf(red, live).state).toBe("well_below");
    expect(rowOf(red, { ...live, notNotified: new Set(["anna"]) }).state).toBe("not_notified");
  });

  test("at a moment of the past is judged by what it delivered then", () => {
    const limits = { amber_from: 0.5, green_from: 0.9, green_to: 1.1 };
    const stateAt = (kw: number | null, isCalled = true): SiteState =>
      rowAt(measured("A", {}), { reduction_kw: kw, timestamp: null }, { notNotified: new Set(), limits, isCalled })
        .state;
    expect([0, 50, 90, 111, null].map((kw) => stateAt(kw))).toEqual([
      "well_below",
      "below",
      "on_commitment",
      "well_above",
      "no_readings",
    ]);
    expect(stateAt(0, false)).toBe("not_judged");
  });

  test("is counted so that all counts add up to the number of sites", () => {
    const rows = [
      site("A", { now: 1, colour: "red" }),
      site("B", { colour: "grey" }),
      site("C", { now: 5, colour: "grey" }),
    ];
    expect(countStates([...rows, ...rows])).toEqual([
      ["well_below", 2],
      ["no_readings", 2],
      ["not_judged", 2],
    ]);
  });
});

describe("the shortfall of all rows", () => {
  const rows = [100, 60, 30, 10, 0].map((kw, n) => site(`S${n}`, { now: 100 - kw }));

  test("falls from one to nothing in the order of the rows", () => {
    expect(shortfallStrip(rows)).toEqual([1, 0.6, 0.3, 0.1, 0]);
    expect(shortfallStrip(Array.from({ length: 10_000 }, () => rows).flat())).toHaveLength(50);
    expect(shortfallStrip([site("A", { now: 120 })])).toEqual([]);
  });

  test("is to its half in the first rows", () => {
    expect(halfOfShortfall(rows)).toBe(1);
    expect(halfOfShortfall(rows.slice(1))).toBe(1);
    expect(halfOfShortfall(rows.slice(1).map((row) => ({ ...row, short_kw: 5 })))).toBe(2);
    expect(halfOfShortfall([])).toBeNull();
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

  test("stand by shortfall, where one without readings lacks everything", () => {
    expect(sorted(sites, "-shortfall")).toEqual(["Unknown", "Also much", "Much", "Little", "Over"]);
  });

  test("stand by status, what needs somebody first", () => {
    expect(sorted(sites, "status")).toEqual(["Also much", "Much", "Unknown", "Little", "Over"]);
    const two = [site("A", { now: 90, colour: "green" }), site("B", { now: 90, colour: "grey" })];
    expect(sorted(two, "status")).toEqual(["B", "A"]);
  });

  test("stand by name, with numbers as numbers", () => {
    const stores = ["Store 10", "Store 2", "Store 1"].map((name) => site(name, { now: 1 }));
    expect(sorted(stores, "name")).toEqual(["Store 1", "Store 2", "Store 10"]);
  });

  test("stand by name", () => {
    expect(sorted(sites, "name")).toEqual(["Also much", "Little", "Much", "Over", "Unknown"]);
  });

  test("stand by a number, unknown ones last whichever way", () => {
    expect(sorted(sites, "-delivered")).toEqual(["Over", "Little", "Also much", "Much", "Unknown"]);
    expect(sorted(sites, "delivered")).toEqual(["Also much", "Much", "Little", "Over", "Unknown"]);
  });

  test("are counted by status", () => {
    const statuses = [measured("A", { colour: "red" }), measured("B", { colour: "blue" })];
    expect(countStatuses(statuses)).toEqual({ red: 1, amber: 0, grey: 0, green: 0, blue: 1 });
  });
});

describe("the sorting of the address", () => {
  test("is by shortfall unless it names a column, and by name where nothing is judged", () => {
    expect(sortingOf(undefined, true)).toEqual({ by: "shortfall", descending: true });
    expect(sortingOf("-nothing", true)).toEqual({ by: "shortfall", descending: true });
    expect(sortingOf("-name", true)).toEqual({ by: "name", descending: true });
    expect(sortingOf(undefined, false)).toEqual({ by: "name", descending: false });
  });

  test("begins with the largest number or the first name, and turns with the next click", () => {
    const now = sortingOf(undefined, true);
    expect(nextSorting("delivered", now)).toBe("-delivered");
    expect(nextSorting("name", now)).toBe("name");
    expect(nextSorting("shortfall", now)).toBe("shortfall");
  });
});

describe("the neighbours of a site", () => {
  test("are those of the table as it is sorted, and none beyond its ends", () => {
    expect(neighboursOf(["a", "b", "c"], "b")).toEqual({ previous: "a", next: "c", place: "2 of 3" });
    expect(neighboursOf(["a", "b"], "a")).toMatchObject({ previous: null, next: "b" });
    expect(neighboursOf(["a", "b"], "b")).toMatchObject({ previous: "a", next: null });
  });

  test("lead into the table from a site that it does not show", () => {
    expect(neighboursOf(["a", "b"], "z")).toEqual({ previous: null, next: "a", place: "2 in the table" });
    expect(neighboursOf([], "z")).toMatchObject({ previous: null, next: null });
  });
});
