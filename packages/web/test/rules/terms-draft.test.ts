import { expect, test } from "vitest";
import { newTermsDraft, termsDraft, termsOf, termsWords } from "../../src/rules/terms-draft.js";

const terms = {
  currency: "USD",
  capacity: { price_per_kw: "4.5", factor: { lowest: "0.05", highest: "1.1" } },
  energy: { price_per_kwh: "0.123456", counted: "floored", highest_share: "1.234567" },
  penalty: { below: "0.8", price_per_kwh: "0.5", counted: "net", highest_per_month: "500", within_earnings: false },
} as const;

const stored = { program_id: "prg_1", from_month: "2026-07", set_at: "2026-07-01T00:00:00Z" };

test("terms in the form become the same terms, with shares in percent", () => {
  const draft = termsDraft({ ...stored, terms });
  expect([draft.lowest, draft.highest, draft.highestShare, draft.below]).toEqual(["5", "110", "123.4567", "80"]);
  expect(termsOf(draft)).toEqual(terms);
});

test("an empty price leaves its part out", () => {
  const draft = { ...newTermsDraft("2026-07"), currency: " usd ", energyPrice: "0.1" };
  expect(termsOf(draft)).toEqual({
    currency: "USD",
    capacity: null,
    energy: { price_per_kwh: "0.1", counted: "net", highest_share: null },
    penalty: null,
  });
  const inFull = { ...terms, capacity: { price_per_kw: "4", factor: null }, energy: null, penalty: null };
  expect(termsOf(termsDraft({ ...stored, terms: inFull }))).toEqual(inFull);
});

const shareOf = (below: string) => termsOf({ ...newTermsDraft("2026-07"), penaltyPrice: "1", below }).penalty?.below;

test("shares keep their digits, and what is no number is sent as it is", () => {
  expect(["80", "100", "0", "0.1", "7", "120.5", "000"].map(shareOf)).toEqual([
    "0.8",
    "1",
    "0",
    "0.001",
    "0.07",
    "1.205",
    "0",
  ]);
  expect(shareOf("80 %")).toBe("80 %");
});

test("terms are said in sentences", () => {
  expect(termsWords(terms)).toEqual([
    "Capacity: 4.5 USD per kW and month, times performance between 5 % and 110 %.",
    "Energy: 0.123456 USD per kWh delivered (without intervals below zero), up to 123.4567 % of the commitment.",
    "Penalty: 0.5 USD per kWh missing to 80 % of the commitment (all intervals), at most 500 USD a month.",
  ]);
});
