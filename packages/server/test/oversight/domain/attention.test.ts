import { describe, expect, test } from "vitest";
import { type AttendedSite, largestShortfalls } from "../../../src/oversight/domain/attention.js";

const site = (siteName: string, of: Partial<AttendedSite>): AttendedSite => ({
  siteId: siteName,
  siteName,
  accountId: "acc_1",
  status: { colour: "red", words: "well below" },
  commitmentKw: 100,
  deliveredKw: 50,
  ...of,
});

const names = (sites: readonly AttendedSite[], most = 5) =>
  largestShortfalls(sites, most).map(({ siteName }) => siteName);

describe("the sites that fall short most", () => {
  test("are in the order of what is missing, then of their names", () => {
    expect(names([site("b", {}), site("a", {}), site("c", { deliveredKw: 10 })])).toEqual(["c", "a", "b"]);
    expect(names([site("b", {}), site("a", {}), site("c", { deliveredKw: 10 })], 1)).toEqual(["c"]);
  });

  test("include one that sends nothing, with its whole commitment", () => {
    expect(
      names([site("silent", { deliveredKw: null, status: { colour: "grey", words: "" } }), site("a", {})]),
    ).toEqual(["silent", "a"]);
  });

  test("leave out those within their limits, and those that committed nothing", () => {
    const fine = { colour: "green", words: "on commitment" } as const;
    expect(names([site("fine", { deliveredKw: 98, status: fine }), site("none", { commitmentKw: null })])).toEqual([]);
  });
});
