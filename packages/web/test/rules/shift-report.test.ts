import type { operator } from "@curtail/contract";
import { describe, expect, test } from "vitest";
import { deliveredWords, notifiedWords, shiftSentence, stateOfDispatch } from "../../src/rules/shift-report.js";

const dispatch: operator.ShiftDispatch = {
  dispatch_id: "dis_1",
  program_id: "prg_1",
  program_name: "Peak relief",
  timezone: "America/Chicago",
  test: false,
  start_time: "2026-07-01T18:00:00Z",
  end_time: null,
  sites: 12,
  commitment_kw: 3000,
  accounts: 6,
  accounts_notified: 4,
  state: "active",
  record: false,
  issued: true,
  changes: 2,
  delivered_kw: 2850,
  delivered_kwh: null,
  performance: null,
  result: "none",
};

describe("a dispatch of a shift", () => {
  test("says its state and what was done with it", () => {
    expect(stateOfDispatch(dispatch)).toBe("in progress, issued in the shift, changed 2 times");
    expect(stateOfDispatch({ ...dispatch, state: "past", issued: false, changes: 1, test: true })).toBe(
      "over, test, changed once",
    );
  });

  test("says what it delivered as far as that is known", () => {
    expect(deliveredWords(dispatch)).toBe("2,850 kW");
    expect(deliveredWords({ ...dispatch, delivered_kwh: 5700, performance: 0.95, result: "final" })).toBe(
      "2,850 kW, 5,700 kWh, 95%, final",
    );
    expect(deliveredWords({ ...dispatch, delivered_kw: null, result: "pending" })).toBe("result pending");
    expect(deliveredWords({ ...dispatch, delivered_kw: null })).toBe("–");
  });

  test("says how many accounts were notified, if anybody was to be", () => {
    expect(notifiedWords(dispatch)).toBe("4 of 6");
    expect(notifiedWords({ accounts: 6, accounts_notified: null })).toBe("–");
  });
});

test.each([
  [0, "1 dispatch, 1 new alarm, 0 phone calls; no alarm stands."],
  [1, "1 dispatch, 1 new alarm, 0 phone calls; 1 alarm still stands."],
  [2, "1 dispatch, 1 new alarm, 0 phone calls; 2 alarms still stand."],
])("a shift that leaves %i alarms says so in a sentence", (open, sentence) => {
  const nothing = { count: 0, items: [] };
  const sums = { raised: 1, acknowledged: 0, cleared: 0, open, open_unacknowledged: open, shelved: 0 };
  const drawn = {
    from_time: "2026-07-01T06:00:00Z",
    to_time: "2026-07-01T18:00:00Z",
    drawn_at: "2026-07-01T18:00:00Z",
    dispatches: { count: 1, items: [dispatch] },
    alarms: { ...nothing, ...sums },
    calls: nothing,
    changes: nothing,
    next: nothing,
  };
  expect(shiftSentence(drawn)).toBe(sentence);
});
