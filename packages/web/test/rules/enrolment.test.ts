import { describe, expect, test } from "vitest";
import { enrolmentBody, newEnrolmentDraft, newProgramBody, openPrograms } from "../../src/rules/enrolment-draft.js";
import { joined, parts, toggled } from "../../src/rules/several-sites.js";

describe("an enrolment", () => {
  const draft = newEnrolmentDraft("prg_1", "Europe/Berlin");

  test("has no commitment while none is typed, and the baseline of its program", () => {
    expect(enrolmentBody(draft)).toEqual({ commitment: null, baseline: null });
    expect(enrolmentBody({ ...draft, commitment: "12.5", baseline: "meter_before" })).toEqual({
      commitment: 12.5,
      baseline: { preset: "meter_before" },
    });
  });

  test("makes a program with defaults in the time zone of the site", () => {
    expect(newProgramBody({ ...draft, name: " Peak " })).toMatchObject({
      name: "Peak",
      timezone: "Europe/Berlin",
      program_type: "capacity",
      baseline: null,
    });
  });

  test("is offered for the programs that do not have the site yet", () => {
    expect(openPrograms([{ id: "prg_1" }, { id: "prg_2" }], [{ program_id: "prg_1" }])).toEqual([{ id: "prg_2" }]);
  });
});

describe("several sites", () => {
  test("are sent in parts, whose outcomes are joined", () => {
    expect(parts([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    const skipped = [{ site_id: "b", reason: "not_found" as const }];
    expect(
      joined([
        { done: ["a"], skipped: [] },
        { done: ["c"], skipped },
      ]),
    ).toEqual({ done: ["a", "c"], skipped });
  });

  test("are selected and left out by the same click", () => {
    expect([...toggled(new Set(["a"]), "b")]).toEqual(["a", "b"]);
    expect([...toggled(new Set(["a", "b"]), "a")]).toEqual(["b"]);
  });
});
