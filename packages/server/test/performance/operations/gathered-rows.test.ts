import type { LoadProfile, MeterKey } from "@curtail/measure";
import { expect, test } from "vitest";
import { gatheredRows } from "../../../src/performance/operations/gathered-rows.js";
import type { ReadingRows } from "../../../src/performance/operations/measurement-ports.js";

const one: readonly MeterKey[] = [{ site: 1, meter: 11 }];
const two: readonly MeterKey[] = [
  { site: 2, meter: 21 },
  { site: 2, meter: 22 },
];

const profileOf = (kw: number): LoadProfile => ({ kw: Float64Array.of(kw), hasReading: true });
const hourly = { timezone: "UTC", intervalSeconds: 3600 };

/** Every meter but 22 reports, and has a row at `from`. */
const counting = () => {
  const statements: string[] = [];
  const rows: ReadingRows = {
    reporting: async (meters, { from, to }) => {
      statements.push(`reporting ${from} ${to}`);
      return new Set(meters.map(({ meter }) => meter).filter((meter) => meter !== 22));
    },
    firstHours: async (meters) => {
      statements.push("first hours");
      return new Map(meters.map(({ meter }) => [meter, meter]));
    },
    rows: async (...asked) => {
      const hours = new Set(asked.flatMap(({ periods }) => periods.map(({ from, to }) => `${from} ${to}`)));
      statements.push(`rows ${[...hours].join(", ")}`);
      return asked.flatMap(({ meters, periods }) =>
        meters.map(({ site, meter }) => ({
          site,
          meter,
          hour: periods[0]?.from ?? 0,
          rowVersion: "1",
          readingSeconds: null,
          cells: new Float64Array(120),
        })),
      );
    },
    profiles: async (...asked) => {
      statements.push(`profiles of ${asked.map(({ source, days }) => `${source.site}: ${days.join(" ")}`).join(", ")}`);
      return asked.map(({ source, days }) => new Map(days.map((day) => [day, profileOf(source.site + day)])));
    },
  };
  return { statements, reader: gatheredRows(rows) };
};

test("sites that are read together share a statement, and each gets its own meters", async () => {
  const { statements, reader } = counting();
  const [first, second] = await Promise.all([
    reader.rows({ meters: one, periods: [{ from: 5, to: 9 }] }),
    reader.rows({ meters: two, periods: [{ from: 5, to: 9 }] }),
  ]);
  expect(first.map(({ meter }) => meter)).toEqual([11]);
  expect(second.map(({ meter }) => meter)).toEqual([21, 22]);
  expect(statements).toEqual(["rows 5 9"]);
});

test("each site learns which of its own meters report", async () => {
  const { statements, reader } = counting();
  const reporting = await Promise.all([
    reader.reporting(one, { from: 5, to: 9 }),
    reader.reporting(two, { from: 5, to: 9 }),
  ]);
  expect(reporting).toEqual([new Set([11]), new Set([21])]);
  expect(statements).toEqual(["reporting 5 9"]);
});

test("when meters of several sites first reported is one statement, too", async () => {
  const { statements, reader } = counting();
  const [first, second] = await Promise.all([reader.firstHours(one), reader.firstHours(two)]);
  expect([first.get(11), second.get(21), second.get(22)]).toEqual([11, 21, 22]);
  expect(statements).toEqual(["first hours"]);
});

test("sites that look back on other hours share a statement, too", async () => {
  const { statements, reader } = counting();
  const [first, second] = await Promise.all([
    reader.rows({ meters: one, periods: [{ from: 5, to: 9 }] }),
    reader.rows({ meters: two, periods: [{ from: 6, to: 9 }] }),
  ]);
  expect(first.map(({ hour }) => hour)).toEqual([5]);
  expect(second.map(({ hour }) => hour)).toEqual([6, 6]);
  expect(statements).toEqual(["rows 5 9, 6 9"]);
});

test("profiles of sites that look back on days of their own are read together", async () => {
  const { statements, reader } = counting();
  const sources = [one, two].map((meters) => ({
    ...hourly,
    site: meters[0]?.site ?? 0,
    meters: meters.map(({ meter }) => meter),
  }));
  const found = await Promise.all(
    sources.map((source) => reader.profiles({ source, days: [source.site * 10, source.site * 10 + 1] })),
  );
  expect(statements).toEqual(["profiles of 1: 10 11, 2: 20 21"]);
  expect(found.flat().map((profiles) => [...profiles.values()].map(({ kw }) => kw[0]))).toEqual([
    [11, 12],
    [22, 23],
  ]);
});

test("what is asked later is read anew", async () => {
  const { statements, reader } = counting();
  await reader.rows({ meters: one, periods: [{ from: 5, to: 9 }] });
  await reader.rows({ meters: one, periods: [{ from: 5, to: 9 }] });
  expect(statements).toEqual(["rows 5 9", "rows 5 9"]);
});

test("a failure reaches every site that was read together", async () => {
  const failing = gatheredRows({
    reporting: () => Promise.reject(new Error("the database is away")),
    rows: () => Promise.reject(new Error("the database is away")),
    firstHours: () => Promise.reject(new Error("the database is away")),
    profiles: () => Promise.reject(new Error("the database is away")),
  });
  const asked = [
    failing.rows({ meters: one, periods: [{ from: 5, to: 9 }] }),
    failing.rows({ meters: two, periods: [{ from: 5, to: 9 }] }),
  ];
  for (const each of asked) await expect(each).rejects.toThrow("the database is away");
});

test("sites that are computed in turns between two questions ask the second one together, too", async () => {
  const { statements, reader } = counting();
  const sites = Array.from({ length: 20 }, (_, site) => [{ site, meter: site }]);
  await Promise.all(
    sites.map(async (meters) => {
      await reader.rows({ meters, periods: [{ from: 5, to: 9 }] });
      const until = performance.now() + 2;
      while (performance.now() < until);
      await reader.rows({ meters, periods: [{ from: 1, to: 4 }] });
    }),
  );
  expect(statements).toEqual(["rows 5 9", "rows 1 4"]);
});
