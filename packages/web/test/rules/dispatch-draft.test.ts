import { describe, expect, test } from "vitest";
import { bodyOf, calledSites, emptyDraft, hasBegun, OPEN, timesOf } from "../../src/rules/dispatch-draft.js";

const CHICAGO = "America/Chicago";
const now = new Date("2026-07-01T18:00:00Z");
const draft = { ...emptyDraft("prg_1") };
const site = (id: string, group = "") => ({ id, name: id, account: "Mills", group, commitmentKw: 10 });
const sites = [site("a", "north"), site("b", "south")];

const typed = (start: string, end: string) =>
  timesOf({ ...draft, start: "at", startLocal: start, end: "at", endLocal: end }, CHICAGO, now);

describe("the times of a draft", () => {
  test("are from now on for an hour unless chosen", () => {
    expect(timesOf(draft, CHICAGO, now)).toEqual({
      start: now,
      end: new Date("2026-07-01T19:00:00Z"),
      startFault: null,
      endFault: null,
    });
  });

  test("are read on the clocks of the program", () => {
    const chosen = {
      ...draft,
      start: "at",
      startLocal: "2026-07-01T14:00",
      end: "at",
      endLocal: "2026-07-01T15:30",
    } as const;
    const { start, end } = timesOf(chosen, CHICAGO, now);
    expect([start?.toISOString(), end?.toISOString()]).toEqual([
      "2026-07-01T19:00:00.000Z",
      "2026-07-01T20:30:00.000Z",
    ]);
  });

  test("are faulty where a time is missing, left out by the clocks, or turned around", () => {
    expect(typed("", "").startFault).toBe("Choose a date and time.");
    expect(typed("2027-03-14T02:30", "2027-03-14T04:00").startFault).toContain("This time does not exist");
    expect(typed("2026-07-01T14:00", "2026-07-01T14:00").endFault).toContain("must be after the start");
    expect(typed("2026-07-01T14:00", "2026-07-01T14:01").endFault).toBeNull();
  });

  test("have begun once they are more than a minute past", () => {
    expect(hasBegun(now, new Date("2026-07-01T18:01:00Z"))).toBe(false);
    expect(hasBegun(now, new Date("2026-07-01T18:01:01Z"))).toBe(true);
  });
});

describe("what is sent of a draft", () => {
  const times = timesOf(draft, CHICAGO, now);

  test("names no sites where all are called, so that the service decides", () => {
    expect(bodyOf(draft, sites, times)).toEqual({
      program_id: "prg_1",
      start_time: "2026-07-01T18:00:00.000Z",
      end_time: "2026-07-01T19:00:00.000Z",
      test: false,
    });
  });

  test("names the sites of a group, or those that were chosen", () => {
    expect(calledSites({ ...draft, sites: "group", group: "north" }, sites)).toEqual([sites[0]]);
    const chosen = bodyOf({ ...draft, sites: "chosen", chosen: new Set(["b"]) }, sites, times);
    expect(chosen?.sites).toEqual([{ site_id: "b" }]);
  });

  test("has no end where it is left open", () => {
    const open = { ...draft, end: OPEN };
    expect(bodyOf(open, sites, timesOf(open, CHICAGO, now))?.end_time).toBeNull();
  });

  test("is nothing while no site is called or a time is faulty", () => {
    expect(bodyOf({ ...draft, sites: "chosen" }, sites, times)).toBeNull();
    expect(bodyOf(draft, [], times)).toBeNull();
    expect(bodyOf(draft, sites, { ...times, endFault: "too early" })).toBeNull();
  });
});
