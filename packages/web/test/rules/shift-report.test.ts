import type { operator } from "@curtail/contract";
import { wordsIn } from "@curtail/words";
import { readCatalogue } from "@curtail/words/catalogues";
import { pageWords, speak } from "@curtail/words/page";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  alarmsTitle,
  deliveredWords,
  notifiedWords,
  shiftSentence,
  stateOfDispatch,
} from "../../src/rules/shift-report.js";

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

const alarms: operator.ShiftAlarms = {
  title: "Peak relief: 30 accounts not notified",
  cause: "not_notified",
  kind: "notice_failed",
  program_name: "Peak relief",
  accounts: 30,
  dispatch_id: "dis_1",
  alarms: 30,
  raised: 30,
  acknowledged: 0,
  acknowledged_by: [],
  cleared: 0,
  open: 30,
  open_unacknowledged: 30,
  shelved: 0,
  assigned_to: null,
  since: "2026-07-01T18:00:00Z",
};

const said = (of: Partial<operator.ShiftAlarms>) => alarmsTitle({ ...alarms, ...of });

const speakGerman = (): void => {
  const before = pageWords();
  onTestFinished(() => speak(before));
  speak(wordsIn("de", "de-DE", readCatalogue("de", ["shared", "operators"])));
};

describe("alarms of a shift", () => {
  test("are said in the language of the page", () => {
    speakGerman();
    expect(said({})).toBe("Peak relief: 30 Konten nicht benachrichtigt");
    // Sites are not counted in a report.
    expect(said({ cause: "opted_out", kind: "ven_opted_out", accounts: 1, alarms: 1 })).toBe(
      "Peak relief: VEN hat abgelehnt (optOut)",
    );
    expect(said({ cause: "disk_low", kind: "disk_low", program_name: null, accounts: 0, alarms: 2 })).toBe(
      "Speicherplatz knapp, 2 Alarme",
    );
  });

  test("are said as they are stored in English, of a newer kind, and of a report that an earlier version kept", () => {
    expect(alarmsTitle(alarms)).toBe(alarms.title);
    speakGerman();
    expect(alarmsTitle({ ...alarms, cause: null, kind: null, program_name: null, accounts: null })).toBe(alarms.title);
    expect(alarmsTitle({ ...alarms, cause: "grid_down", kind: "grid_down" })).toBe(alarms.title);
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
