import { describe, expect, test } from "vitest";
import { inAllZones, pageZone, zoneChoices, zoneName, zoneOwner } from "../src/format/page-zone.js";

const own = "Asia/Tokyo";
const berlin = { timeZones: ["Europe/Berlin"], whose: "Berlin-Mitte" };
const both = { timeZones: ["Europe/Berlin", "America/Chicago", "Europe/Berlin"], whose: "the programs" };
const nowhere = { timeZones: [], whose: "" };

describe("the time zone of a page", () => {
  test("is that of its site or program", () => {
    expect(pageZone(berlin, own, "page").timeZone).toBe("Europe/Berlin");
    expect(pageZone({ ...both, timeZones: ["Europe/Berlin", "Europe/Berlin"] }, own, "page").timeZone).toBe(
      "Europe/Berlin",
    );
  });

  test("is the reader's if what it lists has several, or if it lists nothing", () => {
    expect(pageZone(both, own, "page").timeZone).toBe(own);
    expect(pageZone(nowhere, own, "page").timeZone).toBe(own);
  });

  test("is the one a person chose, on every page", () => {
    for (const place of [berlin, both, nowhere]) {
      expect(pageZone(place, own, "own").timeZone).toBe(own);
      expect(pageZone(place, own, "UTC").timeZone).toBe("UTC");
    }
  });

  test("is named with whose it is", () => {
    expect(zoneOwner(pageZone(berlin, own, "page"), own)).toBe("place");
    expect(zoneOwner(pageZone(berlin, own, "own"), own)).toBe("reader");
    expect(zoneOwner(pageZone(berlin, own, "UTC"), own)).toBeNull();
  });

  test("can be changed to that of the place, the reader's and UTC, and to each of several", () => {
    const labels = (place: typeof both, choice: string) =>
      zoneChoices(pageZone(place, own, choice), own, choice).map(({ label }) => label);
    const tokyo = "Japan standard time, yours";
    expect(labels(berlin, "page")).toEqual(["Central European time, of Berlin-Mitte", tokyo, "UTC"]);
    expect(labels(both, "page")).toEqual([
      "Of the site or program",
      tokyo,
      "Central European time",
      "Central time",
      "UTC",
    ]);
    expect(labels(nowhere, "America/Chicago")).toEqual(["Of the site or program", tokyo, "Central time", "UTC"]);
  });
});

describe("a time zone", () => {
  test.each([
    ["America/Chicago", "Central time"],
    ["Asia/Tokyo", "Japan standard time"],
    ["Etc/GMT+5", "GMT−05:00"],
    ["UTC", "UTC"],
    ["Etc/UTC", "UTC"],
  ])("%s is called %s", (zone, name) => expect(zoneName(zone)).toBe(name));
});

test("a moment is written in the zone of the page, of its place and of the reader, and in UTC, each once", () => {
  const at = "2026-11-26T23:07:12Z";
  expect(inAllZones(at, pageZone(berlin, own, "page"), own).split("\n")).toEqual([
    "27 Nov 2026, 00:07:12 Central European time",
    "27 Nov 2026, 08:07:12 Japan standard time, yours",
    "26 Nov 2026, 23:07:12 UTC",
  ]);
  expect(inAllZones(at, pageZone(berlin, own, "UTC"), own).split("\n")).toHaveLength(3);
});
