import { describe, expect, test } from "vitest";
import { barredSeconds, SignInFailures } from "../../src/domain/sign-in-limit.js";

const MINUTE_MS = 60_000;
const START_MS = 1_000_000 * MINUTE_MS;

/** So many tries with these emails, from one address; whether each is allowed. */
const begin = (failures: SignInFailures, emails: readonly string[], address = "192.0.2.1"): boolean[] =>
  emails.map((email) => failures.begin({ email, address }, START_MS) === 0);
const times = (count: number, email: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => email(index));

describe("failed sign-ins", () => {
  test("bar when as many as the limit lie within 15 minutes, until the oldest of them does not", () => {
    const failures = [0, 1, 2].map((minute) => START_MS + minute * MINUTE_MS);
    expect(barredSeconds(failures, 4, START_MS + 3 * MINUTE_MS)).toBe(0);
    expect(barredSeconds(failures, 3, START_MS + 3 * MINUTE_MS)).toBe(12 * 60);
    expect(barredSeconds(failures, 3, START_MS + 15 * MINUTE_MS - 1)).toBe(1);
    expect(barredSeconds(failures, 3, START_MS + 15 * MINUTE_MS)).toBe(0);
  });

  test("bar an email after 10, whatever its letters' case and from wherever they come", () => {
    const failures = new SignInFailures();
    expect(
      begin(
        failures,
        times(5, () => "a@example.com"),
      ),
    ).not.toContain(false);
    expect(
      begin(
        failures,
        times(6, () => "A@Example.com"),
        "192.0.2.2",
      ),
    ).toEqual([true, true, true, true, true, false]);
    expect(
      begin(
        failures,
        times(1, () => "b@example.com"),
      ),
    ).toEqual([true]);
  });

  test("bar an address after 30, whatever the emails", () => {
    const failures = new SignInFailures();
    expect(
      begin(
        failures,
        times(31, (index) => `${index}@example.com`),
      ),
    ).toEqual([...Array(30).fill(true), false]);
    expect(
      begin(
        failures,
        times(1, () => "0@example.com"),
        "192.0.2.2",
      ),
    ).toEqual([true]);
  });

  test("of an email are forgotten when its owner signs in; a try that is taken back leaves the others", () => {
    const failures = new SignInFailures();
    const attempt = { email: "a@example.com", address: "192.0.2.1" };
    begin(
      failures,
      times(9, () => attempt.email),
    );
    for (let index = 0; index < 3; index++) {
      expect(failures.begin(attempt, START_MS)).toBe(0);
      failures.takeBack(attempt);
    }
    expect(failures.begin(attempt, START_MS)).toBe(0);
    expect(failures.begin(attempt, START_MS)).toBeGreaterThan(0);
    failures.succeeded(attempt);
    expect(failures.begin(attempt, START_MS)).toBe(0);
  });

  test("still count after a sweep within 15 minutes, and are forgotten by one after them", () => {
    const failures = new SignInFailures();
    const attempt = { email: "a@example.com", address: "192.0.2.1" };
    begin(
      failures,
      times(10, () => attempt.email),
    );
    failures.sweep(START_MS + 15 * MINUTE_MS - 1);
    expect(failures.begin(attempt, START_MS + 15 * MINUTE_MS - 1)).toBe(1);
    failures.sweep(START_MS + 15 * MINUTE_MS);
    expect(failures.begin(attempt, START_MS)).toBe(0);
  });
});
