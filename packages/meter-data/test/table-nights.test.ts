import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MeterData, StatedMapping } from "../src/index.js";
import { localOf } from "./support/layout.js";
import { faultsOf, readFile, rowsOf, summary } from "./support/read-file.js";

const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`;
const read = (text: string, timezone: string, mapping: StatedMapping = {}): MeterData =>
  readFile(text, { timezone, mapping }, 4096);
const textOf = (localMs: number) => new Date(localMs).toISOString().slice(0, 16).replace("T", " ");
const messages = ({ notes }: MeterData) => notes.map(({ line, message }) => `${line} ${message}`);
const startsAndKw = (data: MeterData) => rowsOf(data).map(([start, , kw]) => [start.slice(11, 16), kw]);

/** Local midnight before clocks are set back, and how long the day is. */
const longDays = [
  { zone: "Europe/Berlin", fromMs: Date.parse("2025-10-25T22:00:00Z"), minutes: 1500 },
  { zone: "America/New_York", fromMs: Date.parse("2025-11-02T04:00:00Z"), minutes: 1500 },
  { zone: "Australia/Sydney", fromMs: Date.parse("2026-04-04T13:00:00Z"), minutes: 1500 },
  { zone: "Australia/Lord_Howe", fromMs: Date.parse("2026-04-04T13:00:00Z"), minutes: 1470 },
];

interface LongDay {
  readonly place: (typeof longDays)[number];
  readonly length: number;
  readonly ends: "instants" | "clock times";
  readonly order: "rises" | "falls";
}

const written = ({ place, length, ends, order }: LongDay): string => {
  const rows = Array.from({ length: place.minutes / length }, (_, at) => {
    const fromMs = place.fromMs + at * length * 60_000;
    const lengthMs = length * 60_000;
    const end = ends === "instants" ? localOf(place.zone, fromMs + lengthMs) : localOf(place.zone, fromMs) + lengthMs;
    return `${textOf(end)},${kwhAt(at)}`;
  });
  return lines("End,Usage (kWh)", ...(order === "rises" ? rows : rows.toReversed()));
};
const clock = (at: number): string => textOf(at * 900_000).slice(11);
const kwhAt = (at: number) => 1 + ((at * 7) % 11) / 4;

/** Hours of Berlin by their ends, as clocks show them. */
const endsOf = (ends: readonly string[]) =>
  read(lines("End,Usage (kWh)", ...ends.map((end, at) => `2025-10-26 ${end},${1 + (at % 3)}`)), "Europe/Berlin");

describe("ends of intervals in the night when clocks are set back", () => {
  test("are instants or clock times, as the labels that are there twice tell", () => {
    fc.assert(
      fc.property(
        fc.record({
          place: fc.constantFrom(...longDays),
          length: fc.constantFrom(15, 30, 60),
          ends: fc.constantFrom("instants", "clock times"),
          order: fc.constantFrom("rises", "falls"),
        } satisfies { [M in keyof LongDay]: fc.Arbitrary<LongDay[M]> }),
        (day) => {
          // Half an hour is no part of whole hours.
          fc.pre(day.place.minutes % day.length === 0);
          const data = read(written(day), day.place.zone);
          expect(faultsOf(data)).toEqual([]);
          const energies = rowsOf(data).map(([start, seconds, kw]) => [Date.parse(start), (kw * seconds) / 3600]);
          expect(energies).toHaveLength(day.place.minutes / day.length);
          for (const [at, [startMs, kwh]] of energies.entries()) {
            expect(startMs).toBe(day.place.fromMs + at * day.length * 60_000);
            expect(kwh).toBeCloseTo(kwhAt(at), 9);
          }
          expect(messages(data).some((note) => note.includes("times are what clocks show at the end"))).toBe(
            day.ends === "clock times",
          );
        },
      ),
      { numRuns: propertyRuns(10, { atMost: 120 }) },
    );
  });

  test("are faults if no label is there twice, or some are, and never guessed", () => {
    expect(faultsOf(endsOf(["01:00", "02:00", "03:00", "04:00"]))).toHaveLength(1);
    expect(faultsOf(endsOf(["01:00", "02:00", "02:00", "03:00", "03:00", "04:00"]))).not.toEqual([]);
    expect(faultsOf(endsOf(["01:00", "02:00", "03:00", "03:00", "03:00", "04:00"]))).not.toEqual([]);
    expect(faultsOf(endsOf(["02:00", "02:30", "03:00", "03:00", "03:30", "04:00"]))).not.toEqual([]);
  });

  test("that are clock times out of order are left out, if that is stated", () => {
    const later = Array.from({ length: 17 }, (_, at) => clock(4 * (at + 6)));
    const ends = ["01:00", "02:00", "03:00", "04:00", "05:00", "03:00", ...later];
    const text = lines("End,Usage (kWh)", ...ends.map((end, at) => `2025-10-26 ${end},${1 + (at % 3)}`));
    expect(faultsOf(read(text, "Europe/Berlin"))).toEqual([
      expect.stringMatching(/^4: .*does not tell which is meant/),
      expect.stringMatching(/^7: .*does not tell which is meant/),
    ]);
    const left = read(text, "Europe/Berlin", { leave_out: { doubled_hour: true } });
    expect(faultsOf(left)).toEqual([]);
    expect(summary(left)).toMatchObject({ intervals: 21, missing: 2 });
  });
});

describe("an interval that ends before it begins, since clocks are set back", () => {
  const twice = ["01:15,01:30", "01:30,01:45", "01:45,02:00"];
  const after = Array.from({ length: 40 }, (_, at) => `${clock(at + 8)},${clock(at + 9)}`);
  const night = (change: string) =>
    read(
      lines(
        "Date,Start,End,Usage (kWh)",
        ...["00:45,01:00", "01:00,01:15", ...twice].map((at) => `11/02/2025,${at},1`),
        `11/02/2025,${change},5`,
        ...[...twice, ...after].map((at) => `11/02/2025,${at},2`),
        "11/16/2025,00:00,00:15,2",
      ),
      "America/Chicago",
    );

  test("begins with the hour that they show again", () => {
    const data = night("02:00,01:15");
    expect(faultsOf(data)).toEqual([]);
    expect(startsAndKw(data).slice(0, 10)).toEqual([
      ["05:45", 4],
      ["06:00", 4],
      ["06:15", 4],
      ["06:30", 4],
      ["06:45", 4],
      ["07:00", 20],
      ["07:15", 8],
      ["07:30", 8],
      ["07:45", 8],
      ["08:00", 8],
    ]);
    expect(messages(data)).toContainEqual(expect.stringMatching(/^7 the interval ends before it begins/));
  });

  test("is a fault if its length is another one", () => {
    expect(faultsOf(night("02:00,01:30"))).not.toEqual([]);
    expect(faultsOf(night("02:15,01:15"))).not.toEqual([]);
  });
});

const spring = (skipped: string, after: string) =>
  read(
    lines(
      "Start,Usage (kWh)",
      "2026-03-29 01:30,1",
      "2026-03-29 01:45,2",
      `2026-03-29 02:00,${skipped}`,
      ...(after === "none" ? [] : [`2026-03-29 03:00,${after}`]),
      "2026-03-29 03:15,3",
      "2026-03-29 03:30,1",
    ),
    "Europe/Berlin",
  );

describe("the first time that clocks skip", () => {
  test.for(["-", "", "none"])("is when they go on, if the file has %j there", (after) => {
    const data = spring("5", after);
    expect(faultsOf(data)).toEqual([]);
    expect(startsAndKw(data)).toEqual([
      ["00:30", 4],
      ["00:45", 8],
      ["01:00", 20],
      ["01:15", 12],
      ["01:30", 4],
    ]);
    expect(messages(data)).toEqual([
      expect.stringMatching(/^4 .*clocks skip the time "2026-03-29 02:00".*this one is it/),
    ]);
  });

  test("is a fault beside a value there", () => {
    expect(faultsOf(spring("5", "4"))).toEqual([expect.stringMatching(/^4: clocks skip the time "2026-03-29 02:00"/)]);
    expect(faultsOf(spring("5", "0"))).toHaveLength(1);
  });
});

const two = (hour: number) => String(hour).padStart(2, "0");

/** Half-hours of these hours of a night in California, and of those after them. */
const night = (hours: readonly number[]): string =>
  lines(
    "Interval,Usage (kWh)",
    ...[...hours, ...Array.from({ length: 16 }, (_, at) => at + 4)].flatMap((hour, at) => [
      `2023-11-05 ${two(hour)}:00 to 2023-11-05 ${two(hour)}:30,${1 + (at % 3)}`,
      `2023-11-05 ${two(hour)}:30 to 2023-11-05 ${two(hour + 1)}:00,${2 + (at % 2)}`,
    ]),
  );

describe("an hour behind the doubled one that is there twice", () => {
  test("is the hour that clocks show again, if the doubled one is there once", () => {
    const zone = "America/Los_Angeles";
    const shifted = read(night([0, 1, 2, 2, 3]), zone);
    expect(faultsOf(shifted)).toEqual([]);
    expect(rowsOf(shifted)).toEqual(rowsOf(read(night([0, 1, 1, 2, 3]), zone)));
    expect(messages(shifted)).toEqual([expect.stringMatching(/^6 .*the hour after the one that clocks show twice/)]);
    for (const hours of [
      [0, 1, 2, 3, 3],
      [0, 1, 1, 2, 2, 3],
    ])
      expect(faultsOf(read(night(hours), zone)).length).toBeGreaterThan(0);
  });
});
