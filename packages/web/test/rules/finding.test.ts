import { describe, expect, test } from "vitest";
import { enterWaits, type FoundChoice, groupsOf, matching, rankOf } from "../../src/rules/finding.js";

const choice = (label: string, more: Partial<FoundChoice> = {}): FoundChoice => ({
  id: label,
  label,
  kind: "Command",
  ...more,
});

describe("a match", () => {
  test("is the better the earlier it begins, whatever the case and the spaces", () => {
    expect(
      ["Harbor", "Harbor Foods", "Cold Harbor", "Coldharbor", "Mill"].map((text) => rankOf(text, " hARBOR ")),
    ).toEqual([0, 1, 2, 3, null]);
  });

  test("takes wildcards literally", () => {
    expect(rankOf("Hill 100 %", "%")).toBe(2);
    expect(rankOf("Hill", ".*")).toBeNull();
  });

  test("by the name comes before one by other words and by the detail", () => {
    const [byDetail, byWords, byName] = [
      choice("a", { detail: "Go" }),
      choice("b", { words: "go" }),
      choice("Go to Alarms"),
    ];
    expect(matching([byDetail, byName, byWords], "go").map(({ label }) => label)).toEqual(["b", "a", "Go to Alarms"]);
    expect(matching([byDetail, byName, byWords], "alarms")).toEqual([byName]);
  });
});

describe("what the search shows", () => {
  const seen = choice("Cold Harbor", { kind: "Site", to: "/operations/sites/1" });
  const found = [
    choice("Cold Harbor", { id: "found", to: "/operations/sites/1" }),
    choice("Harbor Foods", { to: "/a" }),
  ];
  const commands = [choice("New dispatch"), choice("Go to Alarms")];

  test("without a text is what was seen last, and every command", () => {
    expect(groupsOf("  ", { recent: [seen], commands, found })).toEqual([
      { label: "Recently seen", items: [seen] },
      { label: "Commands", items: commands },
    ]);
  });

  test("has each page once, and no empty group", () => {
    expect(groupsOf("harbor", { recent: [seen], commands, found })).toEqual([
      { label: "Recently seen", items: [seen] },
      { label: "Results", items: [found[1]] },
    ]);
    expect(groupsOf("zzz", { recent: [seen], commands, found: [] })).toEqual([]);
  });
});

describe("Enter", () => {
  const suggested = { label: "Results", items: [choice("Warehouse")] };
  const waiting = { isSearching: true, isMoved: false, suggested };

  test("waits while the list answers an earlier text, also with an empty list", () => {
    expect(enterWaits(waiting)).toBe(true);
    expect(enterWaits({ ...waiting, suggested: undefined })).toBe(true);
    expect(enterWaits({ ...waiting, isSearching: false })).toBe(false);
  });

  test("opens at once what arrow keys led to, and what was seen recently, which stays first", () => {
    expect(enterWaits({ ...waiting, isMoved: true })).toBe(false);
    expect(enterWaits({ ...waiting, suggested: { ...suggested, label: "Recently seen" } })).toBe(false);
  });
});
