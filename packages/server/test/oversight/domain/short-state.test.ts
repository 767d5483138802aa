import { describe, expect, test } from "vitest";
import { type AttendedSite, shortStateOf } from "../../../src/oversight/domain/attention.js";

const site = (colour: AttendedSite["status"]["colour"], more: Partial<AttendedSite> = {}): AttendedSite => ({
  siteId: "site_1",
  siteName: "Mill",
  accountId: "acc_1",
  status: { colour, words: "" },
  commitmentKw: 100,
  deliveredKw: 60,
  ...more,
});

describe("a site is short", () => {
  test("by its performance status", () => {
    const states = (["red", "amber", "green", "blue", "grey"] as const).map((each) => shortStateOf(site(each), true));
    expect(states).toEqual(["well_below", "below", null, null, null]);
  });

  test("without readings, and before everything if its account was not notified", () => {
    expect(shortStateOf(site("grey", { deliveredKw: null }), true)).toBe("no_readings");
    expect(shortStateOf(site("green"), false)).toBe("not_notified");
    expect(shortStateOf(site("grey", { deliveredKw: null }), false)).toBe("not_notified");
  });

  test("by half a kW at least, and never without a commitment", () => {
    expect(shortStateOf(site("red", { deliveredKw: 99.5 }), false)).toBe("not_notified");
    expect(shortStateOf(site("red", { deliveredKw: 99.6 }), false)).toBeNull();
    expect(shortStateOf(site("grey", { commitmentKw: null, deliveredKw: null }), true)).toBeNull();
  });
});
