import { describe, expect, test } from "vitest";
import { type ReplayedEvent, stateAt } from "../src/replay.js";

const at = (minute: number): string => `2026-06-10T18:${String(minute).padStart(2, "0")}:00Z`;
const event = (minute: number, what: string, members: Partial<ReplayedEvent> = {}): ReplayedEvent => ({
  at: at(minute),
  what,
  ...members,
});

const issued = (members: Partial<ReplayedEvent> = {}): ReplayedEvent[] => [
  event(0, "issued", { modification_number: 0, start_time: at(10), end_time: at(50), ...members }),
  event(0, "targeted", { account_id: "a", account_name: "Anna", sites: 2, commitment_kw: 80 }),
  event(0, "targeted", { account_id: "b", account_name: "Ben", sites: 1, commitment_kw: 40 }),
];
const changed = (minute: number, modification_number: number, what = "changed") =>
  event(minute, what, { modification_number, start_time: at(10), end_time: at(55) });
const notified = (minute: number, account_id: string, modification_number: number, channel = "rest") =>
  event(minute, "notified", { account_id, modification_number, channel });
const alarm = (minute: number, what: string, alarm_id = "x") =>
  event(minute, `alarm_${what}`, { alarm_id, alarm_kind: "telemetry_stale" });

const look = (events: readonly ReplayedEvent[], minute: number) => {
  const state = stateAt(events, new Date(at(minute)));
  return {
    not: state.not_notified.map(({ account_id }) => account_id).join(""),
    of: state.accounts.length,
    alarms: state.alarms.map(({ alarm_id, acknowledged_at }) => `${alarm_id}${acknowledged_at === null ? "" : "!"}`),
  };
};

describe("accounts that were not notified", () => {
  test("are those that no channel notified until then", () => {
    const events = [...issued(), notified(3, "b", 0), notified(5, "b", 0, "webhook"), notified(8, "a", 0)];
    expect([2, 3, 7, 8].map((minute) => look(events, minute).not)).toEqual(["ab", "a", "a", ""]);
    expect(stateAt(events, new Date(at(9))).accounts[1]?.notified).toMatchObject({ at: at(3), channel: "rest" });
  });

  test("are owed a change again, until a channel notifies them of it or of a later one", () => {
    const events = [
      ...issued(),
      notified(3, "a", 0),
      changed(5, 1),
      // Late, and of the modification before.
      notified(6, "b", 0),
      changed(7, 2),
      notified(8, "a", 2),
    ];
    expect([4, 5, 6, 8].map((minute) => look(events, minute).not)).toEqual(["b", "ab", "ab", "b"]);
  });

  test("are not those that a call notified, from when it was recorded", () => {
    const events = [
      ...issued(),
      event(6, "phoned", { account_id: "b", modification_number: 0, channel: "phone" }),
      changed(9, 1),
    ];
    expect([5, 6, 9].map((minute) => look(events, minute).not)).toEqual(["ab", "a", "ab"]);
  });

  test("do not count while they are disabled", () => {
    const events = [...issued(), event(4, "disabled", { account_id: "b" }), event(6, "enabled", { account_id: "b" })];
    expect([3, 5, 7].map((minute) => look(events, minute))).toMatchObject([
      { not: "ab", of: 2 },
      { not: "a", of: 1 },
      { not: "ab", of: 2 },
    ]);
  });

  test("are none of a record, and all of a dispatch that was voided", () => {
    expect(look(issued({ record: true }), 5).not).toBe("");
    const voided = [...issued(), notified(3, "a", 0), notified(3, "b", 0), changed(59, 1, "voided")];
    expect(look(voided, 59).not).toBe("ab");
    expect(stateAt(voided, new Date(at(59)))).toMatchObject({ authorized: false, modification_number: 1 });
  });
});

describe("alarms that were open", () => {
  test("are those that were raised and not cleared, also if the same is raised again", () => {
    const events = [
      ...issued(),
      alarm(2, "raised"),
      alarm(3, "acknowledged"),
      alarm(4, "cleared"),
      alarm(5, "raised", "y"),
      // Acknowledging one that has ended changes nothing.
      alarm(6, "acknowledged"),
    ];
    expect([1, 2, 3, 4, 6].map((minute) => look(events, minute).alarms)).toEqual([[], ["x"], ["x!"], [], ["y"]]);
  });
});

test("nothing is known before a dispatch is issued, and a later version's events change nothing", () => {
  const events = [...issued(), event(1, "predicted"), notified(2, "a", 0)];
  expect(stateAt(events, new Date("2026-06-10T17:59:59Z"))).toMatchObject({
    modification_number: null,
    authorized: false,
    accounts: [],
    not_notified: [],
  });
  expect(stateAt(events, new Date(at(2)))).toMatchObject({
    modification_number: 0,
    start_time: at(10),
    authorized: true,
  });
  expect(look(events, 2).not).toBe("b");
});
