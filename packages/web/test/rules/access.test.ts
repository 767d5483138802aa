import { describe, expect, test } from "vitest";
import { isInUse, isRevocable } from "../../src/rules/key.js";
import { landingPage } from "../../src/rules/landing.js";
import { homeOf, isOperator, mayWrite, mayWriteUsers } from "../../src/rules/role.js";
import { codeOf } from "../../src/rules/second-factor.js";
import { userState } from "../../src/rules/user-state.js";

const roles = ["operator-admin", "operator", "auditor", "participant-admin", "participant-viewer"] as const;
const having = (may: (user: { readonly role: (typeof roles)[number] }) => boolean) =>
  roles.filter((role) => may({ role }));

describe("a user", () => {
  test("may do what the role lets", () => {
    expect(having(isOperator)).toEqual(["operator-admin", "operator", "auditor"]);
    expect(having(mayWrite)).toEqual(["operator-admin", "operator", "participant-admin"]);
    expect(having(mayWriteUsers)).toEqual(["operator-admin", "participant-admin"]);
  });

  test("begins on the pages of the own side", () => {
    expect([homeOf({ role: "auditor" }), homeOf({ role: "participant-viewer" })]).toEqual([
      "/operations",
      "/dashboard",
    ]);
  });

  test("is invited until a password is set, and disabled whatever else", () => {
    expect(userState({ disabled: false, has_password: false })).toBe("invited");
    expect(userState({ disabled: false, has_password: true })).toBe("active");
    expect(userState({ disabled: true, has_password: false })).toBe("disabled");
  });

  test("types a code of the app, or a recovery code", () => {
    expect(codeOf(" 123456 ")).toEqual({ totp: "123456" });
    expect(codeOf("12345")).toEqual({ recovery_code: "12345" });
    expect(codeOf(" ")).toEqual({});
  });
});

describe("a key", () => {
  test("can be revoked until it has ended", () => {
    const states = ["active", "unclaimed", "revoked", "expired"] as const;
    expect(states.filter((state) => isRevocable({ state }))).toEqual(["active", "unclaimed"]);
  });

  test("reads dispatches once it is active in production", () => {
    expect(isInUse({ state: "active", environment: "production" })).toBe(true);
    expect(isInUse({ state: "unclaimed", environment: "production" })).toBe(false);
    expect(isInUse({ state: "active", environment: "sandbox" })).toBe(false);
  });
});

const landing = (asked?: string) => landingPage(asked, "https://curtail.example");

describe("the page after the sign-in", () => {
  test("is one of ours, with all that its address says", () => {
    expect(landing("/operations/sites?search=a#b")).toBe("/operations/sites?search=a#b");
    expect([landing("/dashboard"), landing("/you")]).toEqual(["/dashboard", "/you"]);
  });

  test("is none elsewhere, however the address is dressed up", () => {
    for (const asked of [
      undefined,
      "",
      "https://evil.example/dashboard",
      "//evil.example/dashboard",
      "/\\evil.example/dashboard",
      "/dashboards",
      "/sign-in",
      "/dashboard/../sign-in",
      "javascript:alert(1)",
    ])
      expect(landing(asked), String(asked)).toBeNull();
  });
});
