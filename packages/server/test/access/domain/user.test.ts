import { describe, expect, test } from "vitest";
import {
  may,
  maySwitch,
  operatorRoles,
  participantRoles,
  passwordFault,
  type Role,
} from "../../../src/access/domain/user.js";

const roles: readonly Role[] = [...operatorRoles, ...participantRoles];
const allowed = (of: "operator" | "participant", writes: boolean, forAdmins: boolean): readonly Role[] =>
  roles.filter((role) => may(role, { of, writes, forAdmins }));

describe("a role", () => {
  test("of an operator reads the operator API, users included", () => {
    expect(allowed("operator", false, false)).toEqual(operatorRoles);
    expect(allowed("operator", false, true)).toEqual(operatorRoles);
  });

  test("auditor changes nothing, and users are changed by administrators only", () => {
    expect(allowed("operator", true, false)).toEqual(["operator-admin", "operator"]);
    expect(allowed("operator", true, true)).toEqual(["operator-admin"]);
  });

  test("of a participant uses the participants' side only, the viewer to read", () => {
    expect(allowed("participant", false, false)).toEqual(participantRoles);
    expect(allowed("participant", true, false)).toEqual(["participant-admin"]);
    expect(allowed("participant", true, true)).toEqual(["participant-admin"]);
  });

  test("is never changed to one of the other side", () => {
    for (const from of roles) {
      const same = operatorRoles.some((each) => each === from) ? operatorRoles : participantRoles;
      expect(roles.filter((to) => maySwitch(from, to))).toEqual(same);
    }
  });
});

describe("a password", () => {
  test.each([
    ["a".repeat(11), /has 11 characters/],
    ["🙂".repeat(11), /has 11 characters/],
    ["", /has 0 characters/],
    ["a".repeat(201), /more than 200/],
  ])("%j is refused", (password, fault) => expect(passwordFault(password)).toMatch(fault));

  test.each(["a".repeat(12), "🙂".repeat(12), "a".repeat(200), "            "])("%j is taken", (password) =>
    expect(passwordFault(password)).toBeNull(),
  );
});
