import { describe, expect, test } from "vitest";
import { availabilityWeeks, blocksOn, cellWord, dayWords } from "../../src/rules/availability-day.js";
import {
  blocksOf,
  cutoffOf,
  cutoffWords,
  datesOf,
  draftOf,
  laterInSeries,
  newDraft,
  redrafted,
} from "../../src/rules/availability-draft.js";

const site = (id: string, timezone = "America/Chicago", schedule_cutoff_seconds = 0) => ({
  id,
  name: `Site ${id}`,
  timezone,
  schedule_cutoff_seconds,
});
const chicago = site("a");
const berlin = site("b", "Europe/Berlin", 75_600);
const day = newDraft("2026-11-24", ["a", "b"]);

const fault = (more: object) => blocksOf({ ...day, ...more }, [chicago, berlin]).fault;

describe("a draft", () => {
  test("is a block of each site on its own clocks", () => {
    expect(blocksOf({ ...day, isWholeDay: false }, [chicago, berlin])).toEqual({
      fault: null,
      add: [
        {
          site_id: "a",
          start_time: "2026-11-24T15:00:00.000Z",
          end_time: "2026-11-24T23:00:00.000Z",
          available_kw: null,
        },
        {
          site_id: "b",
          start_time: "2026-11-24T08:00:00.000Z",
          end_time: "2026-11-24T16:00:00.000Z",
          available_kw: null,
        },
      ],
    });
  });

  test("of a whole day has 25 hours where the clocks go back, and an end before its start is on the next day", () => {
    const [whole] = blocksOf({ ...day, date: "2026-10-25", siteIds: ["b"] }, [berlin]).add;
    expect([whole?.start_time, whole?.end_time]).toEqual(["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"]);
    const night = { ...day, siteIds: ["b"], isWholeDay: false, from: "22:00", to: "06:00" };
    expect(blocksOf(night, [berlin]).add[0]?.end_time).toBe("2026-11-25T05:00:00.000Z");
  });

  test("is repeated every week at the same local time, until its last day", () => {
    expect(datesOf({ date: "2026-10-20", until: "2026-11-03" })).toEqual(["2026-10-20", "2026-10-27", "2026-11-03"]);
    expect(datesOf({ date: "2026-10-20", until: "2026-10-19" })).toEqual(["2026-10-20"]);
    const weekly = { ...day, date: "2026-10-20", until: "2026-10-27", siteIds: ["b"], isWholeDay: false };
    const starts = blocksOf(weekly, [berlin]).add.map(({ start_time }) => start_time);
    expect(starts).toEqual(["2026-10-20T07:00:00.000Z", "2026-10-27T08:00:00.000Z"]);
  });

  test("says what is wrong: no site, no power, a time that does not exist, too many blocks", () => {
    expect(fault({ siteIds: [] })).toBe("Choose at least one site.");
    expect([fault({ kw: "" }), fault({ kw: "-3" })]).toEqual([
      expect.stringMatching(/more than 0/),
      expect.any(String),
    ]);
    expect(fault({ date: "2026-03-29", isWholeDay: false, from: "02:30" })).toMatch(/does not exist at Site b/);
    expect(fault({ until: "2031-11-24" })).toMatch(/at most 500/);
    expect(fault({ kw: "120" })).toBeNull();
  });
});

test("the cut-off is that of the site that must be earliest, in words", () => {
  const cutoff = cutoffOf(blocksOf(day, [chicago, berlin]).add, [chicago, berlin]);
  const words = (now: string) => (cutoff === null ? "" : cutoffWords(cutoff, new Date(now)));
  expect(words("2026-11-22T00:00:00Z")).toBe(
    "Changes for Tue 24 Nov, 00:00 must be made before Mon 23 Nov, 03:00 (Europe/Berlin).",
  );
  expect(words("2026-11-23T02:00:00Z")).toMatch(/^Too late: changes for Tue 24 Nov, 00:00 at Site b had to be made/);
});

const block = (
  id: string,
  site_id: string,
  start_time: string,
  end_time: string,
  available_kw: number | null = null,
) => ({
  id,
  site_id,
  start_time,
  end_time,
  available_kw,
  series_id: "ser_1",
});

test("a block becomes its draft again, and one of several days has none", () => {
  const whole = block("1", "b", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 50);
  expect(draftOf(whole, "Europe/Berlin")).toMatchObject({ date: "2026-10-25", isWholeDay: true, kw: "50" });
  const part = block("2", "b", "2026-11-24T21:00:00Z", "2026-11-25T05:00:00Z");
  expect(draftOf(part, "Europe/Berlin")).toMatchObject({ from: "22:00", to: "06:00", isWholeDay: false, kw: null });
  expect(draftOf(block("3", "b", "2026-11-24T21:00:00Z", "2026-11-27T05:00:00Z"), "Europe/Berlin")).toBeNull();
});

test("a change of a series holds for its later blocks, each on its own day", () => {
  const series = [
    block("1", "b", "2026-10-20T07:00:00Z", "2026-10-20T09:00:00Z"),
    block("2", "b", "2026-10-27T08:00:00Z", "2026-10-27T10:00:00Z"),
  ];
  const later = series.flatMap((each) => (each.id === "1" ? laterInSeries(series, each) : []));
  const draft = { ...newDraft("2026-10-20", ["b"]), isWholeDay: false, from: "10:00", to: "11:00" };
  expect(redrafted(draft, later, [berlin]).add.map(({ start_time }) => start_time)).toEqual([
    "2026-10-20T08:00:00.000Z",
    "2026-10-27T09:00:00.000Z",
  ]);
});

describe("a day of the calendar", () => {
  const blocks = [
    block("1", "a", "2026-11-24T06:00:00Z", "2026-11-25T06:00:00Z"),
    block("2", "b", "2026-11-23T23:00:00Z", "2026-11-24T05:00:00Z"),
    block("3", "b", "2026-11-25T08:00:00Z", "2026-11-25T09:00:00Z", 80),
  ];
  const sites = [chicago, berlin];
  const on = (date: string) =>
    availabilityWeeks("2026-11", blocks, sites)
      .flat()
      .find((each) => each?.date === date);

  test("counts the sites that are not available, in part or with less, on their own clocks", () => {
    expect(on("2026-11-24")).toMatchObject({ off: 1, part: 1, reduced: 0 });
    expect(on("2026-11-25")).toMatchObject({ off: 0, part: 0, reduced: 1, leastKw: 80 });
    expect(blocksOn("2026-11-25", blocks, sites).map(({ id }) => id)).toEqual(["3"]);
  });

  test("is told in a short word and in full", () => {
    const [both, less] = [on("2026-11-24"), on("2026-11-25")];
    if (!both || !less) throw new Error("the days are in the month");
    expect([cellWord(both, 2), cellWord(less, 2), cellWord(less, 1)]).toEqual(["2/2 off", "1/2 less", "80.0 kW"]);
    expect(dayWords(both, 2)).toBe("1 of 2 sites not available, 1 of 2 sites not available for a part");
    expect(dayWords(less, 1)).toBe("reduced to 80.0 kW");
  });
});
