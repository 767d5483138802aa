import type { MeterKey } from "@curtail/measure";
import { expect, test } from "vitest";
import type { ReadingRows } from "../../../../src/performance/operations/measurement-ports.js";
import type { ProfileDays } from "../../../../src/performance/operations/profile-ports.js";
import { rememberedRows } from "../../../../src/performance/operations/report/remembered-rows.js";

const metersOf = (count: number): MeterKey[] =>
  Array.from({ length: count }, (_, index) => ({ site: 1, meter: index + 1 }));

const PROFILE = { kw: new Float64Array(24), hasReading: true };

/** Every meter has a row in every even hour. */
const counting = (meters: readonly MeterKey[]) => {
  const statements: string[] = [];
  const rows: ReadingRows = {
    reporting: async () => new Set(),
    firstHours: async (asked) => {
      statements.push("first hours");
      return new Map(asked.map(({ meter }) => [meter, meter]));
    },
    rows: async (...asked) => {
      const all = asked.flatMap(({ periods }) => periods);
      statements.push(`rows ${all.map(({ from, to }) => `${from} ${to}`).join(", ")}`);
      return all.flatMap(({ from, to }) =>
        Array.from({ length: to - from + 1 }, (_, index) => from + index)
          .filter((hour) => hour % 2 === 0)
          .flatMap((hour) =>
            (asked[0]?.meters ?? []).map((key) => ({
              ...key,
              hour,
              rowVersion: "1",
              readingSeconds: null,
              cells: new Float64Array(1),
            })),
          ),
      );
    },
    profiles: async (...asked) => {
      statements.push(`profiles ${asked.flatMap(({ days }) => days).join(" ")}`);
      return asked.map(({ days }) => new Map(days.filter((day) => day % 2 === 0).map((day) => [day, PROFILE])));
    },
  };
  return { statements, reader: rememberedRows(rows, meters) };
};

const placesOf = (rows: ReadonlyArray<{ readonly meter: number; readonly hour: number }>) =>
  rows.map(({ meter, hour }) => `${meter} ${hour}`);

test("an hour is read once, with or without a row, and for whichever meters it was asked first", async () => {
  const meters = metersOf(2);
  const { statements, reader } = counting(meters);
  expect(placesOf(await reader.rows({ meters: meters.slice(0, 1), periods: [{ from: 3, to: 4 }] }))).toEqual(["1 4"]);
  const periods = [
    { from: 1, to: 6 },
    { from: 9, to: 10 },
  ];
  expect(placesOf(await reader.rows({ meters: meters.slice(1), periods }))).toEqual(["2 2", "2 4", "2 6", "2 10"]);
  expect(placesOf(await reader.rows({ meters, periods: [{ from: 4, to: 5 }] }))).toEqual(["1 4", "2 4"]);
  expect(statements).toEqual(["rows 3 4", "rows 1 2, 5 6, 9 10"]);
});

test("the first hours of all meters are read once", async () => {
  const meters = metersOf(2);
  const { statements, reader } = counting(meters);
  await reader.firstHours(meters.slice(0, 1));
  expect([...(await reader.firstHours(meters)).keys()]).toEqual([1, 2]);
  expect(statements).toEqual(["first hours"]);
});

test("a day's profile is asked for once, with or without one, of each way to cut it", async () => {
  const { statements, reader } = counting(metersOf(1));
  const source = { site: 1, meters: [1], timezone: "UTC", intervalSeconds: 3600 };
  const daysOf = async (asked: ProfileDays) => [...((await reader.profiles(asked))[0]?.keys() ?? [])];
  expect(await daysOf({ source, days: [1, 2] })).toEqual([2]);
  expect(await daysOf({ source, days: [1, 2, 4] })).toEqual([2, 4]);
  expect(await daysOf({ source: { ...source, intervalSeconds: 300 }, days: [4] })).toEqual([4]);
  expect(await daysOf({ source, days: [1, 4] })).toEqual([4]);
  expect(statements).toEqual(["profiles 1 2", "profiles 4", "profiles 4"]);
});

test("many rows are forgotten before more are read", async () => {
  const meters = metersOf(1000);
  const { statements, reader } = counting(meters);
  for (const from of [0, 10, 40, 0]) await reader.rows({ meters, periods: [{ from, to: from + 19 }] });
  // 20 hours of the first, 10 more of the second; the third would be 50, the fourth 70.
  expect(statements).toEqual(["rows 0 19", "rows 20 29", "rows 40 59", "rows 0 19"]);
});
