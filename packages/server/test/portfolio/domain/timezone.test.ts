import { expect, test } from "vitest";
import { canonicalTimezone } from "../../../src/portfolio/domain/timezone.js";

test.each([
  "Europe/Berlin",
  "Asia/Kolkata",
  "Asia/Calcutta",
  "US/Central",
  "Europe/Kyiv",
  "America/Port-au-Prince",
  "Etc/GMT+5",
  "UTC",
  "GB",
])("%s is stored in its own spelling, whatever its case, and not under another name of its zone", (name) => {
  for (const given of [name, name.toLowerCase(), name.toUpperCase()]) expect(canonicalTimezone(given)).toBe(name);
});

test("every zone of Node has its own spelling", () => {
  for (const name of Intl.supportedValuesOf("timeZone")) expect(canonicalTimezone(name.toUpperCase())).toBe(name);
});

test.each(["Chicago", "+02:00", "", "constructor"])(
  "what is no zone, such as %s, is left for the check that refuses it",
  (name) => expect(canonicalTimezone(name)).toBe(name),
);
