import { describe, expect, test } from "vitest";
import { pageZone, pageZoneWords } from "../src/format/page-zone.js";

const own = "Asia/Tokyo";

describe("the time zone of a page", () => {
  test("is that of its site or program", () => {
    expect(pageZone(["Europe/Berlin"], "Berlin-Mitte", own)).toEqual({
      timeZone: "Europe/Berlin",
      whose: "Berlin-Mitte",
    });
  });

  test("is the one that everything on it has in common", () => {
    const { timeZone } = pageZone(["Europe/Berlin", "Europe/Berlin"], "the programs", own);
    expect(timeZone).toBe("Europe/Berlin");
  });

  test("is the reader's if what it lists has several, or if it lists nothing", () => {
    const readers = { timeZone: own, whose: null };
    expect(pageZone(["Europe/Berlin", "America/Chicago"], "the programs", own)).toEqual(readers);
    expect(pageZone([], "the programs", own)).toEqual(readers);
  });

  test("is named with whose it is, and the reader's beside it", () => {
    const berlin = { timeZone: "Europe/Berlin", whose: "Berlin-Mitte" };
    expect(pageZoneWords(berlin, own)).toBe(
      "Times on this page are those of Berlin-Mitte, Europe/Berlin. Your time zone is Asia/Tokyo.",
    );
    expect(pageZoneWords(berlin, "Europe/Berlin")).toBe(
      "Times on this page are those of Berlin-Mitte, Europe/Berlin. Your time zone is the same.",
    );
    expect(pageZoneWords({ timeZone: own, whose: null }, own)).toBe(
      "Times on this page are in your time zone, Asia/Tokyo.",
    );
  });
});
