import { expect, test } from "vitest";
import { formatMoment, isNow, parseMoment } from "../../src/mapping/moment.js";

test.each(["0001-01-01", "0001-01-01T00:00:00", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"])(
  "%s stands for now",
  (text) => {
    expect(isNow(text)).toBe(true);
  },
);

test.each(["0001-01-02", "0001-01-01T00:00:01Z", "2026-07-01T18:00:00Z", ""])("%j does not", (text) => {
  expect(isNow(text)).toBe(false);
});

test("a moment is written in UTC with a Z, with milliseconds only if it has any", () => {
  expect(formatMoment(new Date("2026-07-01T20:00:00+02:00"))).toBe("2026-07-01T18:00:00Z");
  expect(formatMoment(new Date("2026-07-01T18:00:00.050Z"))).toBe("2026-07-01T18:00:00.050Z");
});

test.each([
  "2026-07-01T18:00:00Z",
  "2026-07-01T20:00:00+02:00",
  "2026-07-01t18:00:00.000z",
  "2026-07-01T18:00:00.000000000Z",
  "2026-07-01 18:00:00Z",
  "2026-07-01T17:59:60Z",
])("%s is read", (text) => {
  expect(parseMoment(text)).toEqual(new Date("2026-07-01T18:00:00Z"));
});

test.each([
  "2026-02-30T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-07-01T24:30:00Z",
  "2026-07-01",
  "2026-07-01T18:00:00",
  "now",
])("%s is refused", (text) => {
  expect(parseMoment(text)).toBeNull();
});
