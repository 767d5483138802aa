import { expect, test } from "vitest";
import { isDatabaseAway } from "../../src/platform/database-away.js";

const failure = (more: object, message = "failed") => Object.assign(new Error(message), more);

test("a database that cannot be reached, is starting, stopping or read-only is away", () => {
  for (const code of ["08006", "53300", "57P01", "57P03", "57014", "25006", "55000"])
    expect(isDatabaseAway(failure({ code }))).toBe(true);
  expect(isDatabaseAway(failure({ code: "ECONNREFUSED", syscall: "connect" }))).toBe(true);
  expect(isDatabaseAway(failure({}, "Connection terminated unexpectedly"))).toBe(true);
  expect(isDatabaseAway(failure({}, "timeout exceeded when trying to connect"))).toBe(true);
});

test("a fault of a statement, a file or the code is none of its absence", () => {
  for (const code of ["23503", "42P01", "22P02"]) expect(isDatabaseAway(failure({ code }))).toBe(false);
  expect(isDatabaseAway(failure({ code: "ENOENT", syscall: "open" }))).toBe(false);
  expect(isDatabaseAway(new TypeError("x is not a function"))).toBe(false);
  expect(isDatabaseAway("away")).toBe(false);
});
