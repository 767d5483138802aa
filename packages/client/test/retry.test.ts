import { expect, test } from "vitest";
import { ErrorResponse, NoResponse } from "../src/failure.js";
import { defaultRetry, delayAfter } from "../src/retry.js";

const endpoint = { method: "GET", path: "/sites" } as const;
const status = (code: number, headers: Readonly<Record<string, string>> = {}) =>
  new ErrorResponse(endpoint, new Response(null, { status: code, headers }), "{}");
const lost = new NoResponse("no response", {});

const delay = (error: unknown, changes: Partial<Parameters<typeof delayAfter>[1]> = {}) =>
  delayAfter(error, { attempt: 1, isRepeatable: true, policy: defaultRetry, random: 0.5, ...changes });

test("delays are a random share of a limit that doubles up to the longest", () => {
  expect([1, 2, 3, 4].map((attempt) => delay(lost, { attempt }))).toEqual([250, 500, 1000, 2000]);
  expect(delay(lost, { random: 0 })).toBe(0);
  expect(delay(lost, { attempt: 20, policy: { ...defaultRetry, attempts: 30 } })).toBe(15_000);
});

test("a Retry-After is kept, with a random share of the first delay on top", () => {
  expect(delay(status(429, { "retry-after": "7" }))).toBe(7250);
  expect(delay(status(503, { "retry-after": "7" }))).toBe(7250);
  expect(delay(status(429, { "retry-after": "300" }))).toBe(300_250);
  expect(delay(status(429, { "retry-after": "301" }))).toBeNull();
  expect(delay(status(429, { "retry-after": "Wed, 01 Jul 2026 18:00:00 GMT" }))).toBe(250);
});

test("the last attempt is not followed by another", () => {
  expect(delay(lost, { attempt: 4 })).not.toBeNull();
  expect(delay(lost, { attempt: 5 })).toBeNull();
});

test("what may have been carried out is repeated only if that does no harm", () => {
  const isRepeatable = false;
  expect(delay(lost, { isRepeatable })).toBeNull();
  expect(delay(status(500), { isRepeatable })).toBeNull();
  expect(delay(status(429), { isRepeatable })).toBe(250);
  expect([lost, status(500), status(502)].map((error) => delay(error))).toEqual([250, 250, 250]);
});

test("a reply in preparation is asked for again; errors of the request are not", () => {
  expect(delay(status(202, { "retry-after": "2" }))).toBe(2250);
  for (const code of [400, 401, 404, 409]) expect(delay(status(code))).toBeNull();
  expect(delay(new TypeError("a fault of the caller"))).toBeNull();
});
