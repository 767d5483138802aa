import { describe, expect, test } from "vitest";
import {
  type MeasuredSite,
  neighboursOf,
  nextSorting,
  shortfallOf,
  sortedSites,
  sortingOf,
} from "../../src/rules/shortfall.js";
import { countStatuses } from "../../src/rules/status.js";

const site = (name: string, of: { committed?: number | null; now?: number | null; mean?: number; colour?: string }) =>
  ({
    name,
    commitment_kw: of.committed === undefined ? 100 : of.committed,
    latest: of.now === undefined || of.now === null ? null : { reduction_kw: of.now },
    mean_reduction_kw: of.mean ?? null,
    status: { colour: of.colour ?? "green" },
  }) as unknown as MeasuredSite;
const names = (sites: readonly MeasuredSite[]) => sites.map(({ name }) => name);

const sorted = (of: readonly MeasuredSite[], sorting: string) =>
  names(sortedSites(of, sortingOf(sorting, true), { isLive: true, accountOf: (id) => id }));

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
    expect(sorted(sites, "-shortfall")).toEqual(["Also much", "Much", "Little", "Unknown", "Over"]);
  });

  test("stand by status, what needs somebody first", () => {
    expect(sorted(sites, "status")).toEqual(["Also much", "Much", "Little", "Unknown", "Over"]);
    const two = [site("A", { colour: "green" }), site("B", { colour: "grey" })];
    expect(sorted(two, "status")).toEqual(["B", "A"]);
  });

  test("stand by name", () => {
    expect(sorted(sites, "name")).toEqual(["Also much", "Little", "Much", "Over", "Unknown"]);
  });

  test("stand by a number, unknown ones last whichever way", () => {
    expect(sorted(sites, "-delivered")).toEqual(["Over", "Little", "Also much", "Much", "Unknown"]);
    expect(sorted(sites, "delivered")).toEqual(["Also much", "Much", "Little", "Over", "Unknown"]);
  });

  test("are counted by status", () => {
    expect(countStatuses(sites)).toEqual({ red: 2, amber: 1, grey: 1, green: 0, blue: 1 });
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
    expect(nextSorting("load", now)).toBe("-load");
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
