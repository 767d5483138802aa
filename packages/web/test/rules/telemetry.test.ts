import { describe, expect, test } from "vitest";
import { isSilent, lastPowerOf, lastReadingOf } from "../../src/rules/last-reading.js";
import { completeness, isStale, reporting, type SiteHealth, staleFirst } from "../../src/rules/site-health.js";

type Meter = Parameters<typeof lastReadingOf>[0]["meters"][number];
const meter = (timestamp: string | null, value = 0) =>
  ({ last_reading: timestamp === null ? null : { timestamp, value } }) as Meter;

describe("the last reading of a site", () => {
  test("is the newest of its meters, and none where none reported", () => {
    const meters = [meter("2026-07-01T18:00:00Z"), meter(null), meter("2026-07-01T18:01:00Z")];
    expect(lastReadingOf({ meters })).toBe("2026-07-01T18:01:00Z");
    expect(lastReadingOf({ meters: [meter(null)] })).toBeNull();
  });

  test("gives the power of all meters that are known together", () => {
    const at = "2026-07-01T18:00:00Z";
    expect(lastPowerOf({ meters: [meter(at, 10), meter(null), meter(at, -4)] })).toBe(6);
    expect(lastPowerOf({ meters: [meter(null)] })).toBeNull();
  });

  test("is too old when it is more than 15 minutes ago, or never came", () => {
    const at = "2026-07-01T18:00:00Z";
    expect(isSilent(at, new Date("2026-07-01T18:15:00Z"))).toBe(false);
    expect(isSilent(at, new Date("2026-07-01T18:15:01Z"))).toBe(true);
    expect(isSilent(null, new Date(at))).toBe(true);
  });
});

const site = (name: string, of: Partial<SiteHealth>) =>
  ({
    name,
    meters: 2,
    stale_meters: 0,
    last_reading_at: "2026-07-01T18:00:00Z",
    in_dispatch: false,
    ...of,
  }) as SiteHealth;

describe("a site", () => {
  test("is stale when a meter fell silent or none ever reported", () => {
    expect(isStale(site("A", {}))).toBe(false);
    expect(isStale(site("A", { stale_meters: 1 }))).toBe(true);
    expect(isStale(site("A", { last_reading_at: null }))).toBe(true);
  });

  test("reports with all of its meters, some, none, or never did", () => {
    expect(reporting(site("A", {}))).toBe("all");
    expect(reporting(site("A", { stale_meters: 1 }))).toBe("some");
    expect(reporting(site("A", { stale_meters: 2 }))).toBe("none");
    expect(reporting(site("A", { last_reading_at: null }))).toBe("never");
    expect(reporting(site("A", { meters: 0, last_reading_at: null }))).toBe("no_meters");
  });

  test("that cannot be measured in a dispatch comes first, then one that fell silent, then one that never reported", () => {
    const sites = [
      site("Reports", {}),
      site("Never", { last_reading_at: null }),
      site("Silent", { stale_meters: 1 }),
      site("Never, called", { last_reading_at: null, in_dispatch: true }),
      site("Silent, called", { stale_meters: 1, in_dispatch: true }),
      site("Silent for longer", { stale_meters: 1, last_reading_at: "2026-07-01T17:00:00Z" }),
    ];
    expect(sites.toSorted(staleFirst).map(({ name }) => name)).toEqual([
      "Silent, called",
      "Never, called",
      "Silent for longer",
      "Silent",
      "Never",
      "Reports",
    ]);
  });

  test("has good readings with 95 % of them, and bad ones below 80 %", () => {
    expect([0.95, 0.94, 0.8, 0.79].map(completeness)).toEqual(["good", "warn", "warn", "bad"]);
  });
});
