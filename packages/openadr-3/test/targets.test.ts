import { describe, expect, test } from "vitest";
import { isVisible, matchedTargets, shownTargets } from "../src/index.js";

const ven = { venId: "v1", targets: ["group-1", "site-1"] };

describe("targets", () => {
  test("that a VEN asks for match only if it was granted them", () => {
    expect(matchedTargets(ven, ["group-1", "group-2"])).toEqual(["group-1"]);
    expect(matchedTargets(ven, ["group-2"])).toEqual([]);
  });

  test("that a VEN does not ask for are all those it was granted", () => {
    expect(matchedTargets(ven, undefined)).toEqual(["group-1", "site-1"]);
  });

  test("match as they are for business logic, and any object without them", () => {
    expect(matchedTargets(null, ["group-2"])).toEqual(["group-2"]);
    expect(matchedTargets(null, undefined)).toBeNull();
  });

  test("make an object visible that has none, or one that the VEN was granted", () => {
    expect(isVisible({ targets: [], venId: null }, ven)).toBe(true);
    expect(isVisible({ targets: ["group-2", "site-1"], venId: null }, ven)).toBe(true);
    expect(isVisible({ targets: ["group-2"], venId: null }, ven)).toBe(false);
  });

  test("do not make an object visible that is for another ven", () => {
    expect(isVisible({ targets: ["site-1"], venId: "v2" }, ven)).toBe(false);
    expect(isVisible({ targets: [], venId: "v2" }, { venId: null, targets: [] })).toBe(false);
    expect(isVisible({ targets: ["site-1"], venId: "v1" }, ven)).toBe(true);
  });

  test("of others are not shown", () => {
    expect(shownTargets(["group-2", "site-1"], ["group-1", "site-1"])).toEqual(["site-1"]);
  });
});
