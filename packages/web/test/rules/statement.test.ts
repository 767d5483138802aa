import { expect, test } from "vitest";
import { changeWords, mayApprove, money, monthBefore, totalWords } from "../../src/rules/statement.js";

test("amounts are grouped and never rounded", () => {
  expect(money("1234567.05", "USD")).toBe("1,234,567.05 USD");
  expect(money("-1234.50", "USD")).toBe("-1,234.50 USD");
  expect(money("-123", "JPY")).toBe("-123 JPY");
  expect(money("0.005", "KWD")).toBe("0.005 KWD");
  expect(money("90071992547409930.01", "USD")).toBe("90,071,992,547,409,930.01 USD");
});

const total = (amount: string, currency: string) => ({
  currency,
  capacity: "",
  energy: "",
  penalty: "",
  cap: "",
  total: amount,
});

test("totals of several currencies are not added up", () => {
  expect(totalWords([total("1.00", "EUR"), total("2", "JPY")])).toBe("1.00 EUR + 2 JPY");
  expect(totalWords([])).toBe("nothing");
  expect(totalWords(null)).toBe("–");
});

const change = {
  program_id: "prg_1",
  site_id: "site_1",
  site_name: "Mill",
  kind: "energy",
  dispatch_id: "dis_1",
  currency: "USD",
  from: "4.00",
  to: "2.00",
  words: "40.000 → 20.000 kWh",
} as const;

test("a change says from what to what", () => {
  expect(changeWords(change)).toBe("Energy, Mill: 4.00 → 2.00 USD (40.000 → 20.000 kWh)");
  expect(changeWords({ ...change, from: null })).toBe("Energy, Mill: none → 2.00 USD (40.000 → 20.000 kWh)");
  expect(changeWords({ ...change, to: "4.00" })).toBe("Energy, Mill: 4.00 USD (40.000 → 20.000 kWh)");
  expect(changeWords({ ...change, site_name: null, words: "the terms of Peak changed" })).toBe(
    "The terms of Peak changed",
  );
});

const version = { reason: "made" } as Parameters<typeof mayApprove>[0]["versions"][number];

test("a statement may be approved once its month is over, unless it is", () => {
  const [before, after] = [new Date("2026-07-01T11:59:00Z"), new Date("2026-07-01T12:00:00Z")];
  expect(mayApprove({ month: "2026-06", versions: [version] }, before)).toBe(false);
  expect(mayApprove({ month: "2026-06", versions: [version] }, after)).toBe(true);
  expect(mayApprove({ month: "2026-06", versions: [version, { ...version, reason: "approved" }] }, after)).toBe(false);
});

test("the month before", () => {
  expect(monthBefore(new Date("2026-01-15T00:00:00Z"))).toBe("2025-12");
  expect(monthBefore(new Date("2026-07-31T23:00:00Z"))).toBe("2026-06");
});
