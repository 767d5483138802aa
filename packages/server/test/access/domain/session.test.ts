import { describe, expect, test } from "vitest";
import { acceptedSteps } from "../../../src/access/domain/second-factor.js";
import { isUseNoted, isValid, newSession, type Session } from "../../../src/access/domain/session.js";

const start = new Date("2026-07-01T00:00:00Z");
const after = (hours: number, ms = 0): Date => new Date(start.getTime() + hours * 3_600_000 + ms);
const of = { id: "ses_1", userId: "usr_1", userAgent: "Browser", address: "127.0.0.1" };
const session = newSession(of, start);
const seen = (hours: number): Session => ({ ...session, lastSeenAt: after(hours) });

describe("a session", () => {
  test("counts for 12 hours after it was last used", () => {
    expect(isValid(session, after(12, -1))).toBe(true);
    expect(isValid(session, after(12))).toBe(false);
    expect(isValid(seen(6), after(18, -1))).toBe(true);
    expect(isValid(seen(6), after(18))).toBe(false);
  });

  test("counts for 7 days at most, however much it is used", () => {
    expect(isValid(seen(167), after(168, -1))).toBe(true);
    expect(isValid(seen(167), after(168))).toBe(false);
  });

  test("does not count once it is revoked", () => {
    expect(isValid({ ...session, revokedAt: start }, start)).toBe(false);
  });

  test("has its use noted once a minute", () => {
    expect(isUseNoted(session, after(0, 59_999))).toBe(true);
    expect(isUseNoted(session, after(0, 60_000))).toBe(false);
  });

  test("keeps 200 printable characters of what the browser calls itself", () => {
    const { userAgent } = newSession({ ...of, userAgent: `\u0000é${"x".repeat(300)}` }, start);
    expect(userAgent).toBe(`??${"x".repeat(198)}`);
  });
});

describe("a code of an authenticator app", () => {
  const at = new Date(1_000 * 30 * 1000 + 15_000);

  test("is taken a step before and after its own", () => {
    expect(acceptedSteps(at, null)).toEqual([999, 1000, 1001]);
  });

  test("is taken once, and none from before it either", () => {
    expect(acceptedSteps(at, 999)).toEqual([1000, 1001]);
    expect(acceptedSteps(at, 1001)).toEqual([]);
  });
});
