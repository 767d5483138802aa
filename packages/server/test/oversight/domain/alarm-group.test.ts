import { alarmCauseNames, alarmReasons } from "@curtail/contract/lists/alarm-causes";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  byUrgency,
  type GroupDispatch,
  groupId,
  groupParts,
  groupTitle,
  groupWhy,
  inGroup,
  kindsOfCause,
  priorityOf,
} from "../../../src/oversight/domain/alarm-group.js";

const now = new Date("2026-07-01T18:00:00Z");
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

const dispatch = (of: Partial<GroupDispatch> = {}): GroupDispatch => ({
  programName: "Peak relief",
  start: inMinutes(-45),
  end: inMinutes(132),
  authorized: true,
  commitmentKw: 8200,
  ...of,
});

const priority = (atStakeKw: number | null, of: Partial<GroupDispatch> = {}, kind = "notice_failed") =>
  priorityOf({ kind, dispatch: dispatch(of), atStakeKw }, now);

const alone = (kind: string) => priorityOf({ kind, dispatch: null, atStakeKw: null }, now);

describe("the priority of a group", () => {
  test("is 1 from a tenth of the commitment or 1,000 kW on, while there are 15 minutes to save them", () => {
    expect(priority(2310)).toBe(1);
    expect([820, 819].map((kw) => priority(kw))).toEqual([1, 2]);
    expect([1000, 999].map((kw) => priority(kw, { commitmentKw: 50_000 }))).toEqual([1, 2]);
    expect([15, 14].map((minutes) => priority(2310, { end: inMinutes(minutes) }))).toEqual([1, 2]);
    expect(priority(2310, { end: null })).toBe(1);
  });

  test("is 1 from half an hour before the start, and 2 earlier", () => {
    expect([30, 31].map((minutes) => priority(8200, { start: inMinutes(minutes) }))).toEqual([1, 2]);
  });

  test("is 3 if nothing is at stake, or the dispatch is over or cancelled", () => {
    expect(priority(0)).toBe(3);
    expect([0, -1].map((minutes) => priority(8200, { end: inMinutes(minutes) }))).toEqual([2, 3]);
    expect(priority(8200, { authorized: false })).toBe(3);
  });

  test("without kW is that of its kind", () => {
    expect(
      ["notice_undelivered", "dispatch_open_long", "last_webhook_deleted"].map((kind) => priority(null, {}, kind)),
    ).toEqual([1, 2, 3]);
    expect(["delivery_held", "disk_low", "certificate_expiring", "grid_down"].map(alone)).toEqual([1, 2, 3, 3]);
  });
});

describe("the order of groups", () => {
  const place = fc.record({
    id: fc.uuid(),
    priority: fc.constantFrom(1 as const, 2 as const, 3 as const),
    open: fc.nat(2),
    atStakeKw: fc.option(fc.nat(3)),
    since: fc.nat(3).map(inMinutes),
  });

  test("is the same however they come: priority, then those not acknowledged, then kW, then age", () => {
    fc.assert(
      fc.property(fc.uniqueArray(place, { selector: ({ id }) => id }), (groups) => {
        const sorted = groups.toSorted(byUrgency);
        expect(groups.toReversed().toSorted(byUrgency)).toEqual(sorted);
        const rank = ({ priority, open, atStakeKw }: (typeof groups)[number]) => [
          priority,
          open === 0 ? 1 : 0,
          -(atStakeKw ?? 0),
        ];
        for (const [index, group] of sorted.slice(1).entries()) {
          const [before, after] = [rank(sorted[index] ?? group), rank(group)];
          const differing = before.findIndex((value, at) => value !== after[at]);
          if (differing >= 0) expect(before[differing]).toBeLessThan(after[differing] ?? 0);
        }
      }),
    );
  });
});

describe("a group", () => {
  test("is named by its cause and its dispatch", () => {
    expect(groupId("not_notified", "dis_1")).toBe("not_notified.dis_1");
    expect(groupParts("not_notified.dis_1")).toEqual({ cause: "not_notified", dispatchId: "dis_1" });
    expect(groupParts("disk_low")).toEqual({ cause: "disk_low", dispatchId: null });
    expect(["", "Disk", "disk_low.", "a.b", "x.dis_1.y", "not notified"].map(groupParts)).toEqual(Array(6).fill(null));
  });

  test("of a cause has all of its kinds, of dispatches only", () => {
    expect(inGroup({ cause: "not_notified", dispatchId: "dis_1" }).kinds).toEqual([
      "notice_failed",
      "openadr3_undelivered",
    ]);
    expect(inGroup({ cause: "notice_failed", dispatchId: null }).kinds).toEqual(["notice_failed"]);
    for (const cause of alarmCauseNames) expect(kindsOfCause(cause)).not.toEqual([]);
  });

  test("says what is wrong and why, counted", () => {
    const of = { kind: "notice_failed", programName: "Peak relief", accounts: 30, sites: 1210, alarms: 30 };
    expect(groupTitle({ ...of, cause: "not_notified" })).toBe("Peak relief: 30 accounts not notified");
    expect(groupTitle({ ...of, cause: "no_readings" })).toBe("Peak relief: 1,210 sites without readings");
    expect(groupTitle({ ...of, cause: "opted_out", sites: 1 })).toBe("Peak relief: 1 site opted out");
    expect(groupTitle({ ...of, cause: "notice_failed", programName: null })).toBe("Account not notified, 30 accounts");
    expect(
      groupTitle({ ...of, cause: "grid_down", kind: "grid_down", programName: null, accounts: 0, alarms: 2 }),
    ).toBe("grid down, 2 alarms");
    const late = { ...of, cause: "mail_stuck", kind: "mail_stuck", accounts: 1 };
    expect(groupTitle(late)).toBe("Peak relief: email is delayed, 30 alarms");
    expect(groupTitle({ ...late, cause: "opted_out", kind: "ven_opted_out", sites: 0, alarms: 1 })).toBe(
      "Peak relief: VEN opted out",
    );
    expect(groupWhy({ no_channel: 18, bounced: 12, of_tomorrow: 40 })).toBe("18 have no channel, 12 emails bounced");
    expect(groupWhy({ failing: 1, bounced: 1 })).toBe("1 email bounced, 1 email keeps failing");
    expect(Object.keys(alarmReasons).map((reason) => groupWhy({ [reason]: 1 }))).not.toContain("");
  });
});
