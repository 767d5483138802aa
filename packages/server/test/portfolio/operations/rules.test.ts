import { expect, test } from "vitest";
import type { RulesAdoption } from "../../../src/portfolio/domain/rules.js";
import { rulesFor, rulesOfMonth } from "../../../src/portfolio/operations/rules.js";

const upgrade = (adoptedAt: string): RulesAdoption => ({
  rulesVersion: 2,
  adoptedAt: new Date(adoptedAt),
  fromMonth: null,
  actor: null,
  reason: null,
});

const adopted = (fromMonth: string) => [
  upgrade("2026-06-10T12:00:00Z"),
  { ...upgrade("2026-06-11T12:00:00Z"), fromMonth, actor: "operator" as const, reason: "agreed" },
];

test("new rules hold from the local month after the one of the upgrade", () => {
  const adoptions = [upgrade("2026-06-30T22:30:00Z")];
  const rulesAt = (at: string, timezone: string) => rulesFor(Date.parse(at), timezone, adoptions);
  expect(rulesAt("2026-06-30T21:59:59Z", "Europe/Berlin")).toBe(1);
  // In Berlin, July had begun at the upgrade.
  expect(rulesAt("2026-07-31T21:59:59Z", "Europe/Berlin")).toBe(1);
  expect(rulesAt("2026-07-31T22:00:00Z", "Europe/Berlin")).toBe(2);
  expect(rulesAt("2026-07-01T03:59:59Z", "America/New_York")).toBe(1);
  expect(rulesAt("2026-07-01T04:00:00Z", "America/New_York")).toBe(2);
});

test("the month after December is January", () => {
  expect(rulesOfMonth("2026-12", "UTC", [upgrade("2026-12-01T00:00:00Z")])).toBe(1);
  expect(rulesOfMonth("2027-01", "UTC", [upgrade("2026-12-01T00:00:00Z")])).toBe(2);
});

test("an operator adopts rules earlier, never later", () => {
  expect(rulesOfMonth("2026-04", "UTC", adopted("2026-05"))).toBe(1);
  expect(rulesOfMonth("2026-05", "UTC", adopted("2026-05"))).toBe(2);
  expect(rulesOfMonth("2026-07", "UTC", adopted("2026-09"))).toBe(2);
});

test("without an adoption the first rules hold", () => {
  expect(rulesOfMonth("2030-01", "UTC", [])).toBe(1);
});
