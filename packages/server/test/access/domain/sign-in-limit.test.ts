import { describe, expect, test } from "vitest";
import { barredSeconds, type SignInAttempt, SignInFailures } from "../../../src/access/domain/sign-in-limit.js";

const MINUTE_MS = 60_000;
const START_MS = 1_000_000 * MINUTE_MS;

const ann: SignInAttempt = { email: "a@example.com", place: "192.0.2.1", device: null };

/** How many of the tries are allowed. */
const allowed = (failures: SignInFailures, tries: number, attempt: (index: number) => Partial<SignInAttempt>): number =>
  Array.from({ length: tries }, (_, index) => failures.begin({ ...ann, ...attempt(index) }, START_MS)).filter(
    (seconds) => seconds === 0,
  ).length;

describe("failed sign-ins", () => {
  test("bar when as many as the limit lie within its time, until the oldest of them does not", () => {
    const failures = [0, 1, 2].map((minute) => START_MS + minute * MINUTE_MS);
    const limit = (count: number) => ({ failures: count, windowMs: 15 * MINUTE_MS });
    expect(barredSeconds(failures, limit(4), START_MS + 3 * MINUTE_MS)).toBe(0);
    expect(barredSeconds(failures, limit(3), START_MS + 3 * MINUTE_MS)).toBe(12 * 60);
    expect(barredSeconds(failures, limit(3), START_MS + 15 * MINUTE_MS - 1)).toBe(1);
    expect(barredSeconds(failures, limit(3), START_MS + 15 * MINUTE_MS)).toBe(0);
  });

  test("bar an email at one place after 10, whatever its letters' case, and no other place", () => {
    const failures = new SignInFailures();
    expect(allowed(failures, 5, () => ({}))).toBe(5);
    expect(allowed(failures, 6, () => ({ email: "A@Example.com" }))).toBe(5);
    expect(allowed(failures, 1, () => ({ place: "192.0.2.2" }))).toBe(1);
    expect(allowed(failures, 1, () => ({ email: "b@example.com" }))).toBe(1);
  });

  test("bar a place after 30, whatever the emails", () => {
    const failures = new SignInFailures();
    expect(allowed(failures, 31, (index) => ({ email: `${index}@example.com` }))).toBe(30);
    expect(allowed(failures, 1, () => ({ email: "0@example.com", place: "192.0.2.2" }))).toBe(1);
  });

  test("bar an email everywhere after 50 within an hour, but for its devices", () => {
    const failures = new SignInFailures();
    const byDevice = { ...ann, device: "d" };
    expect(allowed(failures, 51, (index) => ({ place: `192.0.2.${index}` }))).toBe(50);
    expect(failures.begin({ ...ann, place: "192.0.2.99" }, START_MS)).toBe(3600);
    expect(allowed(failures, 11, () => byDevice)).toBe(10);
    expect(allowed(failures, 1, () => ({ ...byDevice, device: "e" }))).toBe(1);
    expect(failures.begin({ ...ann, place: "192.0.2.99" }, START_MS + 60 * MINUTE_MS)).toBe(0);
  });

  test("that were barred count no further: the time until the next try is never put off", () => {
    const failures = new SignInFailures();
    expect(allowed(failures, 200, () => ({}))).toBe(10);
    expect(allowed(failures, 1, () => ({ place: "192.0.2.2" }))).toBe(1);
  });

  test("of a place are forgotten when the owner signs in there; a try that is taken back leaves the others", () => {
    const failures = new SignInFailures();
    allowed(failures, 9, () => ({}));
    for (let index = 0; index < 3; index++) {
      expect(failures.begin(ann, START_MS)).toBe(0);
      failures.takeBack(ann);
    }
    expect(failures.begin(ann, START_MS)).toBe(0);
    expect(failures.begin(ann, START_MS)).toBeGreaterThan(0);
    failures.succeeded(ann);
    expect(failures.begin(ann, START_MS)).toBe(0);
  });

  test("still count after a sweep within their time, and are forgotten by one after it", () => {
    const failures = new SignInFailures();
    allowed(failures, 50, (index) => ({ place: `192.0.2.${index}` }));
    failures.sweep(START_MS + 60 * MINUTE_MS - 1);
    expect(failures.begin(ann, START_MS + 60 * MINUTE_MS - 1)).toBe(1);
    failures.sweep(START_MS + 60 * MINUTE_MS);
    expect(failures.begin(ann, START_MS)).toBe(0);
  });
});
