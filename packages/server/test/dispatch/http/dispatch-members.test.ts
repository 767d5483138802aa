import { describe, expect, test } from "vitest";
import { dispatchMembers, membersThat, wireNameOf } from "../../../src/dispatch/domain/dispatch-members.js";
import { dispatchToWire, operatorDispatchToWire } from "../../../src/dispatch/http/wire-dispatch.js";
import { dispatchWith } from "../../support/domain-forms.js";

const CHANGED = new Date("2026-07-14T21:02:03.456Z");

/** A dispatch with a member that is not listed, and distinct texts in those that are. */
const dispatch = {
  ...dispatchWith({ changedAt: CHANGED, metadata: { reference: "listed for participants" } }),
  voidReason: "listed for operators",
  issuer: "not listed",
};

const participants = dispatchToWire(dispatch);
const operators = await operatorDispatchToWire(dispatch);

describe("members of a dispatch", () => {
  test("are on the wire of those who are listed for them, beside its program and sites", () => {
    const known = membersThat({ for: "participants" }).map(wireNameOf);
    const more = membersThat({ for: "operators" }).map(wireNameOf);
    const computed = ["cancelled", "program", "sites"];
    expect(Object.keys(participants).toSorted()).toEqual([...known, ...computed].toSorted());
    expect(Object.keys(operators).toSorted()).toEqual([...known, ...more, ...computed].toSorted());
  });

  test("are on no wire if they are not listed, or for nobody", () => {
    const [forParticipants, forOperators] = [participants, operators].map((wire) => JSON.stringify(wire));
    // What is listed is found in the same way.
    expect(forParticipants).toContain("listed for participants");
    expect(forOperators).toContain("listed for participants");
    expect(forOperators).toContain("listed for operators");
    expect(forParticipants).not.toContain("listed for operators");
    for (const text of [forParticipants, forOperators]) {
      expect(text).not.toContain("not listed");
      expect(text).not.toContain("21:02:03");
    }
    expect(dispatchMembers.changedAt.for).toBe("nobody");
  });
});
