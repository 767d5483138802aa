import { describe, expect, test } from "vitest";
import { sentenceOf } from "../../../src/oversight/domain/alarm-words.js";
import { type AlarmKind, alarmKinds } from "../../../src/platform/alarm.js";

const dispatch = {
  programName: "Peak relief",
  timezone: "America/Chicago",
  start: new Date("2026-07-01T18:00:00Z"),
  end: new Date("2026-07-01T20:00:00Z"),
};
const said = (kind: string, of: object = {}) =>
  sentenceOf({ kind: kind as AlarmKind, accountName: "Northgate Foods", dispatch, reason: null, ...of });

describe("an alarm is said to people", () => {
  test("with the account, the program, the local time and the reason", () => {
    expect(said("notice_failed", { reason: "bounced" })).toBe(
      "Northgate Foods was not notified of Peak relief on Wed 1 Jul from 13:00 to 15:00 (Central time). Its email bounced.",
    );
    const open = { dispatch: { ...dispatch, end: null } };
    expect(said("dispatch_open_long", open)).toBe(
      "Peak relief on Wed 1 Jul from 13:00 (Central time) has been running for long, and has no end.",
    );
    const long = { dispatch: { ...dispatch, timezone: "UTC", end: new Date("2026-07-02T01:00:00Z") } };
    expect(said("telemetry_stale", long)).toContain("on Wed 1 Jul from 18:00 to 01:00 on Thu 2 Jul (");
  });

  test("also if the account and the dispatch are not known, or the kind is that of a newer version", () => {
    const nothing = { accountName: null, dispatch: null, reason: "of_tomorrow" };
    expect(said("notice_failed", nothing)).toBe("An account was not notified of a dispatch.");
    expect(said("grid_down", nothing)).toBe("Grid down.");
  });

  test("as it is called, whatever that is", () => {
    expect(said("notice_failed", { accountName: "$& {dispatch} $1" })).toMatch(/^\$& /);
    for (const kind of alarmKinds) expect(said(kind)).not.toMatch(/[{}`_]/);
  });
});
