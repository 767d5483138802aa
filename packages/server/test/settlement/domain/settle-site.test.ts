import { expect, test } from "vitest";
import type { CapacityDays } from "../../../src/settlement/domain/capacity-days.js";
import { textOf, unitsOf } from "../../../src/settlement/domain/decimal.js";
import { settleSite } from "../../../src/settlement/domain/settle-site.js";
import type { SettledProgram, SettledResult, SiteToSettle } from "../../../src/settlement/domain/statement.js";
import { totalsOf } from "../../../src/settlement/domain/statement-totals.js";
import type { Terms } from "../../../src/settlement/domain/terms.js";

const terms = (parts: Partial<Terms>): Terms => ({
  currency: "USD",
  capacity: null,
  energy: null,
  penalty: null,
  ...parts,
});

const capacity = (factor: [lowest: string, highest: string] | null = ["0", "1"], pricePerKw = "4.5") => ({
  pricePerKw,
  factor: factor && { lowest: factor[0], highest: factor[1] },
});
const energy = { pricePerKwh: "0.1", counted: "net", highestShare: null } as const;
const penalty = {
  below: "0.8",
  pricePerKwh: "0.5",
  counted: "capped",
  highestPerMonth: null,
  withinEarnings: false,
} as const;

let dispatches = 0;

/** A judged result of so many kWh out of 40 committed. */
const result = (kwh: number | null, rest: Partial<SettledResult> = {}): SettledResult => ({
  dispatchId: `dis_${++dispatches}`,
  startMs: Date.parse("2026-07-01T18:00:00Z"),
  endMs: Date.parse("2026-07-01T19:00:00Z"),
  version: 1,
  isCancelled: false,
  netKwh: kwh,
  flooredKwh: kwh === null ? null : Math.max(0, kwh),
  cappedKwh: kwh === null ? null : Math.min(40, kwh),
  committedKwh: 40,
  performance: kwh === null ? null : kwh / 40,
  reason: null,
  isSilent: false,
  ...rest,
});

const days = (count: number, commitmentKw: number | null, rest: Partial<CapacityDays> = {}): CapacityDays => ({
  from: "2026-07-01",
  days: count,
  commitmentKw,
  isEnrolled: true,
  countedKw: textOf(unitsOf(String(commitmentKw ?? 0), 3), 3),
  others: [],
  ...rest,
});

const site = (results: readonly SettledResult[], rest: Partial<SiteToSettle> = {}): SiteToSettle => {
  const { isEnrolled = true, commitmentKw = 40 } = rest;
  const capacity = [days(31, commitmentKw, { isEnrolled })];
  return { siteId: "site_1", name: "Mill", isEnrolled, commitmentKw, capacity, results, ...rest };
};

const settled = (parts: Partial<Terms>, results: readonly SettledResult[], rest: Partial<SiteToSettle> = {}) =>
  settleSite({ id: "prg_1", terms: terms(parts), rulesVersion: 2 }, site(results, rest));

/** The same under the rules of before they had versions. */
const settledBefore = (parts: Partial<Terms>, results: readonly SettledResult[], rest: Partial<SiteToSettle> = {}) =>
  settleSite({ id: "prg_1", terms: terms(parts) }, site(results, rest));

const lines = (...args: Parameters<typeof settled>) =>
  settled(...args).lines.map(({ kind, quantity, factor, amount, words }) => [kind, quantity, factor, amount, words]);

test("capacity is the commitment times the price, in full without a factor", () => {
  expect(lines({ capacity: capacity(null) }, [result(0)])).toEqual([
    ["capacity", "40.000", "1.000000", "180.00", "commitment of the month"],
  ]);
});

test("half a cent is rounded away from zero, each line by itself", () => {
  const price = { ...energy, pricePerKwh: "0.005" };
  const { lines: found, amounts } = settled({ energy: price }, [result(1), result(3), result(-1), result(-3)]);
  expect(found.map(({ amount }) => amount)).toEqual(["0.01", "0.02", "-0.01", "-0.02"]);
  expect(amounts).toEqual({ capacity: "0.00", energy: "0.00", penalty: "0.00", cap: "0.00", total: "0.00" });
});

test("energy is rounded to three places before it is multiplied", () => {
  const price = { ...energy, pricePerKwh: "1000" };
  expect(lines({ energy: price }, [result(1.0005)])).toMatchObject([["energy", "1.001", null, "1001.00", "delivered"]]);
});

test("the factor is delivered over committed energy of the month, never a mean of shares", () => {
  const results = [result(40, { committedKwh: 40 }), result(0, { committedKwh: 120, cappedKwh: 0 })];
  expect(lines({ capacity: capacity() }, results)).toEqual([
    ["capacity", "40.000", "0.250000", "45.00", "performance 25 %, over 2 dispatches"],
  ]);
});

test("the factor stays within its limits, and says so", () => {
  const factorOf = (kwh: number) => lines({ capacity: capacity(["0.5", "0.9"]) }, [result(kwh)])[0]?.slice(2);
  expect(factorOf(40)).toEqual(["0.900000", "162.00", "performance 100 %, limited to 90 %, over 1 dispatch"]);
  expect(factorOf(36)).toEqual(["0.900000", "162.00", "performance 90 %, over 1 dispatch"]);
  expect(factorOf(2)).toEqual(["0.500000", "90.00", "performance 5 %, limited to 50 %, over 1 dispatch"]);
  expect(factorOf(-20)).toEqual(["0.500000", "90.00", "performance -50 %, limited to 50 %, over 1 dispatch"]);
  expect(lines({ capacity: capacity(["0", "1"]) }, [result(40 / 3)])[0]?.[2]).toBe("0.333325");
});

test("without a dispatch that can be judged the factor is 1", () => {
  const nothing = "no dispatch to judge by";
  expect(lines({ capacity: capacity() }, [])[0]).toEqual(["capacity", "40.000", "1.000000", "180.00", nothing]);
  const unjudged = [result(20, { isCancelled: true }), result(null), result(null, { version: null })];
  expect(lines({ capacity: capacity() }, unjudged)[0]).toEqual([
    "capacity",
    "40.000",
    "1.000000",
    "180.00",
    `${nothing}; 3 dispatches not judged`,
  ]);
});

/** Amounts by the first rules, and by these. */
const byRules = (...args: Parameters<typeof settled>) =>
  [settledBefore(...args), settled(...args)].map(({ lines: found }) =>
    found.map(({ kind, quantity, amount }) => [kind, quantity, amount].join(" ")),
  );

test("energy up to a share of a commitment is zero without one: 100 kWh were paid in full", () => {
  const limited = { energy: { ...energy, pricePerKwh: "1", highestShare: "1" } };
  const unagreed = [result(100, { committedKwh: null, cappedKwh: null })];
  expect(byRules(limited, unagreed)).toEqual([["energy 100.000 100.00"], ["energy  0.00"]]);
  expect(lines(limited, unagreed)[0]?.[4]).toBe("no commitment is agreed");
  expect(byRules(limited, [result(100, { committedKwh: 0, cappedKwh: 0 })])).toEqual([
    ["energy 0.000 0.00"],
    ["energy 0.000 0.00"],
  ]);
});

test("the factor of a month without a dispatch lies within the limits of the terms: it was 1", () => {
  const parts = { capacity: capacity(["0", "0.9"], "10") };
  expect(byRules(parts, [])).toEqual([["capacity 40.000 400.00"], ["capacity 40.000 360.00"]]);
  expect(lines(parts, [])[0]?.[4]).toBe("no dispatch to judge by, limited to 90 %");
});

test("a dispatch that cannot be judged because readings are missing counts as not delivered", () => {
  const missing = result(null, { reason: "too few days", isMissing: true });
  const parts = { capacity: capacity(), energy, penalty };
  expect(lines(parts, [missing]).map(([kind, quantity, , amount]) => [kind, quantity, amount])).toEqual([
    ["capacity", "40.000", "0.00"],
    ["energy", "0.000", "0.00"],
    ["penalty", "32.000", "-16.00"],
  ]);
});

test("a dispatch that the operator decided is judged as decided, and what was delivered in it is paid", () => {
  const parts = { capacity: capacity(), energy, penalty };
  const outage = { decided: "the utility's network was down" };
  expect(lines(parts, [result(40), result(5, { ...outage, isUnjudged: true })])).toMatchObject([
    ["capacity", "40.000", "1.000000", "180.00", "performance 100 %, over 1 dispatch; 1 dispatch not judged"],
    ["energy", "40.000", null, "4.00", "delivered"],
    ["energy", "5.000", null, "0.50", "delivered"],
    ["penalty", "0.000", null, "0.00", "not below 80 % of the commitment"],
    ["penalty", null, null, "0.00", "not judged: the operator decided so: the utility's network was down"],
  ]);
  expect(lines(parts, [result(40, { ...outage, isMissing: true })]).slice(1)).toMatchObject([
    [
      "energy",
      "0.000",
      null,
      "0.00",
      "the operator decided that nothing counts as delivered: the utility's network was down",
    ],
    ["penalty", "32.000", null, "-16.00", "missing to 80 % of the commitment"],
  ]);
});

test("a commitment that changes within the month counts for its days: the one at its end counted for all of it", () => {
  const capacities = [days(14, 40), days(17, 60)];
  const parts = { capacity: capacity(null, "1") };
  expect(byRules(parts, [], { commitmentKw: 60, capacity: capacities })).toEqual([
    ["capacity 60.000 60.00"],
    ["capacity 50.968 50.97"],
  ]);
  expect(lines(parts, [], { capacity: capacities })[0]?.[4]).toBe(
    "commitment of the month; 40 kW for 14 days, 60 kW for 17 days",
  );
  const left = [days(10, 40), days(21, null, { isEnrolled: false })];
  expect(byRules(parts, [], { isEnrolled: false, commitmentKw: null, capacity: left })).toEqual([
    ["capacity  0.00"],
    ["capacity 12.903 12.90"],
  ]);
});

const settledWith = (rest: Partial<SiteToSettle>) => lines({ capacity: capacity() }, [], rest);

test("a commitment that is null or zero, or never agreed in the month, pays nothing, in words", () => {
  expect(settledWith({ commitmentKw: null })).toEqual([["capacity", null, null, "0.00", "no commitment is agreed"]]);
  expect(settledWith({ commitmentKw: 0 })).toMatchObject([
    ["capacity", "0.000", "1.000000", "0.00", expect.anything()],
  ]);
  expect(settledWith({ isEnrolled: false, commitmentKw: null })).toEqual([
    ["capacity", null, null, "0.00", "not enrolled in the month"],
  ]);
});

test("a dispatch without a result or numbers has lines of zero that say why", () => {
  const parts = { energy, penalty };
  const wordsOf = (one: SettledResult) =>
    lines(parts, [one]).map(([kind, quantity, , amount, words]) => [kind, quantity, amount, words]);
  expect(wordsOf(result(null, { version: null }))).toEqual([
    ["energy", null, "0.00", "waiting for the result"],
    ["penalty", null, "0.00", "waiting for the result"],
  ]);
  expect(wordsOf(result(null, { reason: "too few days" }))).toEqual([
    ["energy", null, "0.00", "no baseline: too few days"],
    ["penalty", null, "0.00", "no baseline: too few days"],
  ]);
  expect(wordsOf(result(null))[0]).toEqual(["energy", null, "0.00", "no readings"]);
  expect(wordsOf(result(20, { committedKwh: null, cappedKwh: null }))).toEqual([
    ["energy", "20.000", "2.00", "delivered"],
    ["penalty", null, "0.00", "no commitment is agreed"],
  ]);
});

test("a dispatch without any reading counts as nothing delivered, with or without a baseline", () => {
  const silent = [result(null, { isSilent: true }), result(null, { isSilent: true, reason: "no meter sent readings" })];
  const words = "no readings: nothing counts as delivered";
  // 32 kWh are missing to 80 % in each; the month's performance is 40 of 120 kWh.
  expect(lines({ capacity: capacity(), energy, penalty }, [result(40), ...silent])).toEqual([
    ["capacity", "40.000", "0.333333", "60.00", "performance 33.3333 %, over 3 dispatches"],
    ["energy", "40.000", null, "4.00", "delivered"],
    ["energy", "0.000", null, "0.00", words],
    ["energy", "0.000", null, "0.00", words],
    ["penalty", "0.000", null, "0.00", "not below 80 % of the commitment"],
    ["penalty", "32.000", null, "-16.00", "missing to 80 % of the commitment"],
    ["penalty", "32.000", null, "-16.00", "missing to 80 % of the commitment"],
  ]);
});

test("energy counts as the terms say, up to a share of the commitment", () => {
  const uneven = result(50, { flooredKwh: 55, cappedKwh: 38 });
  const paid = (counted: "net" | "floored" | "capped", highestShare: string | null = null) =>
    lines({ energy: { ...energy, counted, highestShare } }, [uneven])[0];
  expect([paid("net")?.[1], paid("floored")?.[1], paid("capped")?.[1]]).toEqual(["50.000", "55.000", "38.000"]);
  expect(paid("net", "1.2")).toEqual([
    "energy",
    "48.000",
    null,
    "4.80",
    "delivered; 50.000 kWh delivered, of which at most 120 % of the commitment counts",
  ]);
  expect(paid("net", "1.25")?.[4]).toBe("delivered");
});

const penalties = (kwh: number) =>
  lines({ penalty }, [result(kwh)]).map(([, quantity, , amount, words]) => [quantity, amount, words]);

test("a penalty is for what is missing to the share, and nothing at exactly the share", () => {
  expect(penalties(32)).toEqual([["0.000", "0.00", "not below 80 % of the commitment"]]);
  expect(penalties(31.999)).toEqual([["0.001", "0.00", "missing to 80 % of the commitment"]]);
  expect(penalties(31.99)).toEqual([["0.010", "-0.01", "missing to 80 % of the commitment"]]);
  expect(penalties(20)).toEqual([["12.000", "-6.00", "missing to 80 % of the commitment"]]);
  expect(penalties(-10)).toEqual([["42.000", "-21.00", "missing to 80 % of the commitment"]]);
});

test("a dispatch cancelled while it ran pays what was delivered, and no penalty", () => {
  expect(lines({ energy, penalty }, [result(10, { isCancelled: true })])).toEqual([
    ["energy", "10.000", null, "1.00", "delivered, until the dispatch was cancelled"],
    ["penalty", null, null, "0.00", "not judged: the dispatch was cancelled"],
  ]);
});

test("penalties end at the most of a month, and at what was earned", () => {
  const caps = (limits: Partial<NonNullable<Terms["penalty"]>>, results = [result(2), result(2)]) =>
    lines({ energy, penalty: { ...penalty, ...limits } }, results)
      .filter(([kind]) => kind === "cap")
      .map((line) => line.slice(3));
  // Each is 30 kWh short: 15.00 of penalty, and 0.20 earned.
  expect(caps({})).toEqual([]);
  expect(caps({ highestPerMonth: "30" })).toEqual([]);
  expect(caps({ highestPerMonth: "29.999" })).toEqual([]);
  expect(caps({ highestPerMonth: "10" })).toEqual([["20.00", "penalties above the most of a month"]]);
  expect(caps({ withinEarnings: true })).toEqual([["29.60", "penalties above what the site earned in the month"]]);
  expect(caps({ highestPerMonth: "10", withinEarnings: true })).toEqual([
    ["20.00", "penalties above the most of a month"],
    ["9.60", "penalties above what the site earned in the month"],
  ]);
  expect(caps({ withinEarnings: true }, [result(-4)])).toEqual([
    ["18.00", "penalties above what the site earned in the month"],
  ]);
});

const inCurrency = (currency: string, pricePerKwh: string) =>
  settleSite({ id: "prg_1", terms: terms({ currency, energy: { ...energy, pricePerKwh } }) }, site([result(1)]));

test("currencies without or with three minor digits are rounded to theirs", () => {
  const [inYen, inDinar] = [inCurrency("JPY", "1.5"), inCurrency("KWD", "0.0125")];
  expect([inYen.amounts.total, inDinar.amounts.total]).toEqual(["2", "0.013"]);
});

const program = (id: string, currency: string): SettledProgram => ({
  id,
  name: id,
  timezone: "UTC",
  fromMonth: "2026-01",
  terms: terms({ currency, energy }),
});

test("totals are sums of lines, for each currency by itself", () => {
  const programs = [program("prg_1", "USD"), program("prg_2", "EUR"), program("prg_3", "USD")];
  const sites = programs.map(({ id, terms: own }) => settleSite({ id, terms: own }, site([result(1.25)])));
  expect(totalsOf(programs, sites).map(({ currency, energy: paid, total }) => [currency, paid, total])).toEqual([
    ["USD", "0.26", "0.26"],
    ["EUR", "0.13", "0.13"],
  ]);
  expect(totalsOf([], [])).toEqual([]);
});
