import { describe, expect, test } from "vitest";
import { laidOut } from "../../src/format/xml.js";
import { differences } from "../../src/rules/difference.js";

describe("the differences of two states", () => {
  test("are the members that changed, also within members", () => {
    const [before, after] = [
      { name: "A", openadr: { level: 1, ramp_up_seconds: 60 }, kept: 1 },
      { name: "B", openadr: { level: 2, ramp_up_seconds: 60 }, kept: 1 },
    ];
    expect(differences(before, after)).toEqual([
      { path: ["name"], before: "A", after: "B" },
      { path: ["openadr", "level"], before: 1, after: 2 },
    ]);
  });

  test("of something that is made or removed are all its members but those said beside it", () => {
    const state = { id: "site_1", account_id: "acc_1", created_at: "2026-07-01T00:00:00Z", name: "A" };
    expect(differences(null, state)).toEqual([{ path: ["name"], before: undefined, after: "A" }]);
    expect(differences(state, null)).toEqual([{ path: ["name"], before: "A", after: undefined }]);
  });

  test("say of a list how many more elements it has", () => {
    expect(differences(null, { sites: ["a", "b"], omitted: { sites: 3 } })).toEqual([
      { path: ["sites"], before: undefined, after: ["a", "b", "and 3 more"] },
    ]);
  });
});

test("XML is laid out with an element on each line, and texts stay within theirs", () => {
  expect(laidOut('<?xml version="1.0"?><a><b>text</b><c/><d><e>1</e></d></a>')).toBe(
    ['<?xml version="1.0"?>', "<a>", "  <b>text</b>", "  <c/>", "  <d>", "    <e>1</e>", "  </d>", "</a>"].join("\n"),
  );
});
