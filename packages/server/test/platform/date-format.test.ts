import { expect, test } from "vitest";
import { dateFormat } from "../../src/platform/date-format.js";

const DAY = { weekday: "short", day: "numeric", month: "short" } as const;

test("a format is remembered by all that it depends on, among the latest two hundred", () => {
  const [chicago, berlin] = ["America/Chicago", "Europe/Berlin"].map((timeZone) => ({ ...DAY, timeZone }));
  const known = dateFormat("en-GB", chicago ?? DAY);
  expect(dateFormat("en-GB", { ...chicago })).toBe(known);
  expect(dateFormat("en-GB", berlin ?? DAY)).not.toBe(known);
  expect(dateFormat("de-DE", chicago ?? DAY).format(new Date("2026-07-01T20:00:00Z"))).toBe("Mi., 1. Juli");
  const zones = Intl.supportedValuesOf("timeZone").slice(0, 199);
  for (const timeZone of zones) dateFormat("en-GB", { timeZone, hour: "2-digit" });
  dateFormat("en-GB", chicago ?? DAY);
  expect(dateFormat("en-GB", chicago ?? DAY)).not.toBe(known);
});
