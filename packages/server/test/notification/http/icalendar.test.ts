import { describe, expect, test } from "vitest";
import {
  type CalendarDispatch,
  type CalendarView,
  calendarEvents,
} from "../../../src/notification/domain/calendar-event.js";
import { toICalendar } from "../../../src/notification/http/icalendar.js";
import { serviceWords } from "../../../src/platform/words.js";
import { dispatchWith } from "../../support/domain-forms.js";

const at = (text: string): Date => new Date(text);
const NOW = at("2026-07-14T20:20:00Z");

const { sites: _, ...withoutSites } = dispatchWith({ changedAt: at("2026-07-14T19:00:00Z") });
const dispatch = (more: Partial<CalendarDispatch> = {}): CalendarDispatch => ({
  ...withoutSites,
  siteCount: 1,
  openSites: 0,
  commitmentKw: 940,
  siteNames: ["Mill"],
  ...more,
});

const eventsOf = (more: Partial<CalendarDispatch>, view: Partial<CalendarView> = {}) =>
  calendarEvents([dispatch(more)], {
    side: "participants",
    pagesUrl: "https://curtail.example/dashboard/dispatches",
    words: serviceWords("en"),
    now: NOW,
    ...view,
  });

const fileOf = (more: Partial<CalendarDispatch>) => toICalendar(serviceWords("en"), "Mine", eventsOf(more));

describe("an event", () => {
  test("says what to reduce, when and where", () => {
    expect(eventsOf({})).toMatchObject([
      {
        uid: "dis_1@curtail",
        sequence: 0,
        status: "CONFIRMED",
        summary: "Reduce 940 kW · Summer Peak",
        location: "Mill",
        url: "https://curtail.example/dashboard/dispatches/dis_1",
        isBusy: true,
        alarm: { minutesBefore: 15 },
      },
    ]);
  });

  test("lists the first sites, and counts the rest", () => {
    const siteNames = ["A", "B", "C", "D"];
    const [event] = eventsOf({ siteCount: 6, siteNames, openSites: 2 });
    expect(event?.location).toBe("A, B, C and 3 more");
    expect(event?.description).toContain("6 sites:\n- A\n- B\n- C\n- D\nand 2 more");
    expect(event?.summary).toBe("Reduce 940 kW, and 2 sites as agreed with the operator · Summer Peak");
  });

  test("of a test dispatch says so and leaves the person free", () => {
    expect(eventsOf({ test: true })).toMatchObject([
      { summary: "[TEST] Reduce 940 kW · Summer Peak", isBusy: false, status: "CONFIRMED" },
    ]);
  });

  test.each([
    ["cancelled", { authorized: false, modificationNumber: 1, changedAt: NOW }, "Cancelled: Reduce 940 kW"],
    [
      "voided",
      { authorized: false, voidReason: "by mistake", modificationNumber: 2, changedAt: NOW },
      "Voided: Reduce",
    ],
  ])("of a %s dispatch is cancelled and has no alarm", (_, more, summary) => {
    const [event] = eventsOf(more);
    expect(event).toMatchObject({ status: "CANCELLED", alarm: null, isBusy: false });
    expect(event?.summary).toContain(summary);
    expect(event?.description).not.toContain("by mistake");
  });

  test.each([
    ["before it starts lasts an hour", "2026-07-14T22:00:00Z", "2026-07-14T23:00:00Z"],
    ["while it runs reaches two hours beyond the hour", "2026-07-14T18:00:00Z", "2026-07-14T22:00:00Z"],
  ])("without an end, %s", (_, start, end) => {
    const [event] = eventsOf({ start: at(start), end: null });
    expect(event?.end).toEqual(at(end));
    expect(event?.description).toContain("No end has been set yet");
  });
});

describe("a calendar", () => {
  test("contains a participant's dispatch from its notification time on, and an operator's before", () => {
    const notification = at("2026-07-14T21:00:00Z");
    expect(eventsOf({ notification })).toEqual([]);
    expect(eventsOf({ notification }, { side: "operators" })).toHaveLength(1);
    expect(eventsOf({ notification }, { now: notification })).toHaveLength(1);
  });

  test("never contains a participant's dispatch that was cancelled before its notification time", () => {
    const notification = at("2026-07-14T20:10:00Z");
    expect(eventsOf({ notification, authorized: false, changedAt: at("2026-07-14T20:09:00Z") })).toEqual([]);
  });

  test("keeps a cancelled dispatch for 28 days, and a past one for 90", () => {
    const cancelled = { authorized: false, changedAt: at("2026-07-14T20:10:00Z") };
    expect(eventsOf(cancelled, { now: at("2026-08-11T20:10:00Z") })).toHaveLength(1);
    expect(eventsOf(cancelled, { now: at("2026-08-11T20:10:01Z") })).toEqual([]);
    expect(eventsOf({}, { now: at("2026-10-12T23:30:00Z") })).toHaveLength(1);
    expect(eventsOf({}, { now: at("2026-10-12T23:30:01Z") })).toEqual([]);
  });
});

describe("an iCalendar file", () => {
  test("has lines of at most 75 octets that end with CRLF and break between characters", () => {
    const file = fileOf({ siteNames: ["Ä😀".repeat(60)] });
    const lines = file.split("\r\n");
    expect(lines.pop()).toBe("");
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBe(75);
    expect(file.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(file.replaceAll("\r\n ", "")).toContain(`LOCATION:${"Ä😀".repeat(60)}`);
  });

  test("escapes what has a meaning in it, and leaves out control characters", () => {
    const name = "A; B, C\\D\u0007\r";
    expect(fileOf({ siteNames: [name] }).replaceAll("\r\n ", "")).toContain(String.raw`LOCATION:A\; B\, C\\D` + "\r\n");
  });

  test("stays the same while nothing changes", () => {
    expect(toICalendar(serviceWords("en"), "Mine", eventsOf({}, { now: at("2026-07-14T21:59:59Z") }))).toBe(fileOf({}));
  });
});
