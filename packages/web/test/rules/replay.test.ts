import type { ReplayedEvent } from "@curtail/contract/replay";
import { describe, expect, test } from "vitest";
import { axisOf, lanesOf, momentOf, momentText, replayable, shareOf, ticksOf, within } from "../../src/rules/replay.js";

const at = (minute: number): string => new Date(Date.UTC(2026, 5, 10, 18, minute)).toISOString().replace(".000", "");
const ms = (minute: number): number => Date.parse(at(minute));
const dispatch = (notified: number, end: number | null = 120) => ({
  creation_time: at(notified),
  notification_time: at(notified),
  start_time: at(0),
  end_time: end === null ? null : at(end),
  record: false,
});

describe("the time axis of a dispatch", () => {
  test("runs from the notification to the end, with a margin", () => {
    expect(axisOf(dispatch(-30), new Date(ms(10)), false)).toEqual({ fromMs: ms(-35), toMs: ms(125) });
  });

  test("has a notification of the day before in a replay only", () => {
    expect(axisOf(dispatch(-1440), new Date(ms(10)), false).fromMs).toBe(ms(-65));
    expect(axisOf(dispatch(-1440), new Date(ms(10)), true).fromMs).toBe(ms(-1445));
  });

  test("ends half an hour after now without an end, and with the start before it", () => {
    expect(axisOf(dispatch(-5, null), new Date(ms(40)), false).toMs).toBe(ms(75));
    expect(axisOf(dispatch(-5, null), new Date(ms(-4)), false).toMs).toBe(ms(35));
  });

  test("begins with the start of a record and of one that was notified late", () => {
    expect(axisOf({ ...dispatch(300), record: true }, new Date(ms(400)), true).fromMs).toBe(ms(-5));
    expect(axisOf(dispatch(3), new Date(ms(5)), true).fromMs).toBe(ms(-5));
  });

  test("is replayed until now", () => {
    const axis = axisOf(dispatch(-30), new Date(ms(10)), true);
    expect(replayable(axis, new Date(ms(10)))).toEqual({ fromMs: ms(-35), toMs: ms(10) });
    expect(replayable(axis, new Date(ms(500))).toMs).toBe(ms(125));
    expect(within(axis, ms(900))).toBe(ms(125));
    expect([shareOf(axis, ms(-35)), shareOf(axis, ms(45)), shareOf(axis, ms(900))]).toEqual([0, 0.5, 1]);
  });

  test("has at most eight labels or so, on whole steps", () => {
    const ticks = ticksOf({ fromMs: ms(-35), toMs: ms(125) });
    expect(ticks).toEqual([-30, 0, 30, 60, 90, 120].map(ms));
    expect(ticksOf({ fromMs: ms(0), toMs: ms(60 * 24 * 3) }).length).toBeLessThan(10);
  });
});

test("a moment in the address is whole seconds, and anything else is none", () => {
  expect(momentText(ms(3) + 734)).toBe(at(3));
  expect(momentOf(at(3))).toBe(ms(3));
  expect([momentOf(undefined), momentOf("yesterday")]).toEqual([null, null]);
});

const event = (minute: number, what: string, members: Partial<ReplayedEvent> = {}): ReplayedEvent => ({
  at: at(minute),
  what,
  ...members,
});
const alarm = (minute: number, what: string, alarm_id: string) => event(minute, `alarm_${what}`, { alarm_id });

describe("the lanes below the curve", () => {
  const axis = { fromMs: ms(0), toMs: ms(120) };
  test("gather notices of about the same time", () => {
    const events = [event(1, "notified"), event(1, "notified"), event(2, "notified"), event(9, "notified")];
    expect(lanesOf(events, axis).notices).toEqual([
      { fromMs: ms(1), toMs: ms(2), count: 3 },
      { fromMs: ms(9), toMs: ms(9), count: 1 },
    ]);
  });

  test("have each call by the name of its account, and each change", () => {
    const events = [
      event(0, "issued"),
      event(0, "targeted", { account_id: "a", account_name: "Anna" }),
      event(4, "phoned", { account_id: "a" }),
      event(5, "changed"),
    ];
    expect(lanesOf(events, axis)).toMatchObject({
      calls: [{ atMs: ms(4), account: "Anna" }],
      changes: [
        { atMs: ms(0), what: "issued" },
        { atMs: ms(5), what: "changed" },
      ],
    });
  });

  test("join alarms that stand at the same time, however often one is raised", () => {
    const events = [
      alarm(1, "raised", "x"),
      alarm(2, "raised", "y"),
      alarm(3, "cleared", "x"),
      alarm(4, "cleared", "y"),
      alarm(6, "raised", "z"),
    ];
    expect(lanesOf(events, axis).alarms).toEqual([
      { fromMs: ms(1), toMs: ms(4), most: 2 },
      { fromMs: ms(6), toMs: null, most: 1 },
    ]);
  });
});
