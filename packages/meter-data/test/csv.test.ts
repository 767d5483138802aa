import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultsOf, readFile, rowsOf, summary } from "./support/read-file.js";

const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`;

describe("a column of values", () => {
  test("of kW or kWh belongs to the interval that ends at the timestamp", () => {
    const kwh = readFile(lines("timestamp,kwh", "2026-06-01T00:15:00Z,2.5", "2026-06-01T02:30:00+02:00,5"));
    expect(faultsOf(kwh)).toEqual([]);
    expect(rowsOf(kwh)).toEqual([
      ["2026-06-01T00:00:00.000Z", 900, 10],
      ["2026-06-01T00:15:00.000Z", 900, 20],
    ]);
    expect(kwh.series[0]).toMatchObject({ name: "kwh", unit: "kWh" });
    const kw = readFile(lines("interval_start,kW", "2026-06-01 00:00Z,-10", "2026-06-01 00:05Z,1e1"));
    expect(rowsOf(kw)).toEqual([
      ["2026-06-01T00:00:00.000Z", 300, -10],
      ["2026-06-01T00:05:00.000Z", 300, 10],
    ]);
  });

  test("for each meter is named after it and its unit", () => {
    const data = readFile(
      lines(
        'timestamp;"Main, north (kWh)";Roof kW;pump_wh',
        "2026-06-01T00:30:00Z;1,5;-2;",
        "2026-06-01T01:00:00Z;;-3;500",
      ),
    );
    expect(faultsOf(data)).toEqual([]);
    expect(data.series.map(({ name, unit }) => [name, unit])).toEqual([
      ["Main, north", "kWh"],
      ["Roof", "kW"],
      ["pump", "Wh"],
    ]);
    expect(rowsOf(data)[0]?.[2]).toBe(3);
    expect(rowsOf(data)[1]?.[2]).toBeNaN();
    expect(rowsOf(data, 1).map(([, , kw]) => kw)).toEqual([-2, -3]);
    expect(rowsOf(data, 2)[1]?.[2]).toBe(1);
  });

  test("beside one for the meter's name has a series for each", () => {
    const data = readFile(
      lines(
        "meter,asset_type,interval_end_utc,interval_seconds,kw",
        "main,load,2026-06-01T00:01:00,60,4",
        "roof,generator,2026-06-01T00:05:00Z,300,-1",
      ),
    );
    expect(faultsOf(data)).toEqual([]);
    expect(data.series.map(({ name }) => name)).toEqual(["main", "roof"]);
    expect(rowsOf(data)).toEqual([["2026-06-01T00:00:00.000Z", 60, 4]]);
    expect(rowsOf(data, 1)).toEqual([["2026-06-01T00:00:00.000Z", 300, -1]]);
  });

  test("beside one for its id is told with the series, where a line has it, however the mapping is known", () => {
    const rows = ["2026-06-01T00:05:00Z,mtr_1,,1", "2026-06-01T00:05:00Z,mtr_2,Roof,2"];
    const more = ["2026-06-01T00:10:00Z,mtr_1,Main,1", "2026-06-01T00:10:00Z,mtr_2,Shed,2"];
    const text = lines("timestamp,meter_id,meter_name,kw", ...rows, ...more);
    const data = readFile(text);
    const series = [
      { name: "mtr_1", description: "Main" },
      { name: "mtr_2", description: "Roof" },
    ];
    expect(data.series).toMatchObject(series);
    const mapping = data.table?.mapping;
    expect(mapping).toMatchObject({ meter_columns: [2], meter_name_column: 3 });
    expect(readFile(text, { mapping }).series).toEqual(data.series);
    const other = text.replace("meter_id,meter_name,kw", "Device,Place,Power (kW)");
    const stated = readFile(other, { mapping: { meter_columns: [2], meter_name_column: 3, time: { label: "end" } } });
    expect(faultsOf(stated)).toEqual([]);
    expect(stated.series).toMatchObject(series);
    expect(readFile(text.replace("meter_name", "meter")).series).toMatchObject(series);
    expect(readFile(text, { mapping: { meter_name_column: null } }).series[0]?.description).toBe(null);
  });

  test("of an interval of which parts are missing is none", () => {
    const data = readFile(
      lines(
        "timestamp,meter_id,meter_name,power_kw,energy_kwh,coverage,charge_kwh",
        '2026-06-01T00:05:00Z,mtr_1,"Main",12,1,1,500',
        '2026-06-01T00:10:00Z,mtr_1,"Main",12,0.2,0.2,',
        '2026-06-01T00:15:00Z,mtr_1,"Main",,,0,480',
        '2026-06-01T00:20:00Z,mtr_1,"Main",24,2,1,',
      ),
    );
    expect(faultsOf(data)).toEqual([]);
    expect(data.series).toMatchObject([{ name: "mtr_1", description: "Main" }]);
    expect(summary(data)).toMatchObject({ intervals: 2, missing: 2, energyKwh: 3, intervalSeconds: 300 });
  });
});

describe("the length of intervals", () => {
  test("is the shortest distance of times unless it is stated", () => {
    const gap = lines("timestamp,kw", "2026-06-01T00:15:00Z,1", "2026-06-01T00:30:00Z,1", "2026-06-01T01:30:00Z,1");
    expect(summary(readFile(gap))).toMatchObject({ intervalSeconds: 900, intervals: 3, missing: 3 });
    const once = lines("timestamp,kw", "2026-06-01T00:15:00Z,1");
    expect(faultsOf(readFile(once))).toEqual([
      "2: kw: the length of its intervals is unknown, since it has one time only; add a column interval_seconds",
    ]);
    expect(rowsOf(readFile(once, { intervalSeconds: 900 }))).toEqual([["2026-06-01T00:00:00.000Z", 900, 1]]);
  });

  test("must be a multiple of 30 seconds, and at most an hour", () => {
    const of = (seconds: number) =>
      faultsOf(readFile(lines("timestamp,interval_seconds,kw", `2026-06-01T00:15:00Z,${seconds},1`)));
    expect(of(3600)).toEqual([]);
    expect(of(45)).toEqual(["2: an interval has 45 s; it must be a multiple of 30 s"]);
    expect(of(3630)).toEqual([
      "2: an interval has 3630 s; intervals longer than an hour are no load curve, export shorter ones",
    ]);
    expect(of(0)).toHaveLength(1);
    const daily = lines("timestamp,kwh", "2026-06-01T00:00:00Z,1", "2026-06-02T00:00:00Z,1");
    expect(faultsOf(readFile(daily))[0]).toMatch(/^2: kwh: an interval has 86400 s/);
  });
});

const local = (zone: string, times: readonly string[], values = times.map((_, index) => index + 1)) =>
  readFile(lines("timestamp,kwh", ...times.map((time, index) => `${time},${values[index]}`)), { timezone: zone });
const ends = (data: ReturnType<typeof readFile>) =>
  rowsOf(data).map(([start, seconds]) => new Date(Date.parse(start) + seconds * 1000).toISOString().slice(0, 16));

describe("local times", () => {
  test("need a zone", () => {
    expect(faultsOf(readFile(lines("timestamp,kwh", "2026-06-01 00:15,1", "2026-06-01 00:30,1")))).toEqual([
      '2: the time "2026-06-01 00:15" has no offset from UTC; add it, or state the file\'s time zone',
      '3: the time "2026-06-01 00:30" has no offset from UTC; add it, or state the file\'s time zone',
    ]);
    expect(faultsOf(local("Mars/Olympus", ["2026-06-01 00:15"]))).toEqual([
      '1: the time zone "Mars/Olympus" is unknown; give an IANA name or an offset such as +08:00',
    ]);
    expect(ends(local("+05:30", ["2026-06-01 00:15", "2026-06-01 00:30"]))).toEqual([
      "2026-05-31T18:45",
      "2026-05-31T19:00",
    ]);
  });

  test("that clocks show twice follow each other", () => {
    const night = ["01:30", "01:00", "01:30", "02:00"].map((time) => `2026-11-01 ${time}`);
    const data = local("America/New_York", ["2026-11-01 00:30", "2026-11-01 01:00", ...night]);
    expect(faultsOf(data)).toEqual([]);
    expect(ends(data)).toEqual([
      "2026-11-01T04:30",
      "2026-11-01T05:00",
      "2026-11-01T05:30",
      "2026-11-01T06:00",
      "2026-11-01T06:30",
      "2026-11-01T07:00",
    ]);
    expect(summary(data)).toMatchObject({ missing: 0, energyKwh: 21 });
  });

  test("that clocks skip are faults, and the hour is not missed", () => {
    const skipped = local("America/New_York", ["2026-03-08 01:30", "2026-03-08 02:30", "2026-03-08 03:30"]);
    expect(faultsOf(skipped)).toEqual([
      '3: clocks skip the time "2026-03-08 02:30" in this time zone; give times with an offset from UTC',
    ]);
    const right = local("America/New_York", [
      "2026-03-08 01:00",
      "2026-03-08 01:30",
      "2026-03-08 03:00",
      "2026-03-08 03:30",
    ]);
    expect(faultsOf(right)).toEqual([]);
    expect(summary(right)).toMatchObject({ intervals: 4, missing: 0 });
  });

  test("that clocks show twice are read backwards in a file that begins with the newest", () => {
    const times = ["02:00", "01:30", "01:00", "01:30", "01:00", "00:30"].map((time) => `2026-11-01 ${time}`);
    const data = local("America/New_York", times);
    expect(faultsOf(data)).toEqual([]);
    expect(rowsOf(data).map(([, , kw]) => kw)).toEqual([12, 10, 8, 6, 4, 2]);
    expect(data.notes).toEqual([
      { line: 3, message: expect.stringMatching(/kwh: .*run backwards, so the later hour comes first/) },
    ]);
  });

  test.for([
    ["is there once", ["00:30", "01:00", "01:30", "02:00"]],
    ["is all there is", ["01:00", "01:30", "01:00", "01:30"]],
    ["is in no order", ["00:30", "01:30", "01:00", "01:30", "01:00", "02:00"]],
    ["is there three times", ["00:30", "01:00", "01:00", "01:00", "02:00"]],
    ["is among lines in no order", ["02:00", "00:30", "01:00", "01:30", "01:00", "01:30", "02:30"]],
    ["is there in two parts", ["01:00", "01:30", "00:30", "01:00", "01:30", "02:00"]],
  ] as const)("that clocks show twice are refused if the hour %s", ([, times]) => {
    const data = local(
      "America/New_York",
      times.map((time) => `2026-11-01 ${time}`),
    );
    expect(faultsOf(data).join("\n")).toMatch(/^\d: kwh: clocks show the times of this hour twice, and the order/);
  });

  test("are the right instants or refused with a word, in any zone, direction, interval, and of meters in turns", () => {
    const zones = ["Australia/Lord_Howe", "America/St_Johns", "Europe/Berlin", "Asia/Kolkata", "America/Sao_Paulo"];
    const file = fc.record({
      zone: fc.constantFrom(...zones),
      day: fc.integer({ min: 0, max: 362 }),
      minutes: fc.constantFrom(5, 15, 30, 60),
      count: fc.integer({ min: 2, max: 200 }),
      meters: fc.integer({ min: 1, max: 3 }),
      order: fc.constantFrom("rises", "falls", "by meter", "shuffled"),
      seed: fc.integer({ min: 1, max: 1000 }),
    });
    fc.assert(
      fc.property(file, ({ zone, day, minutes, count, meters, order, seed }) => {
        const firstMs = Date.UTC(2026, 0, 1) + day * 86_400_000;
        const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
        let rows = Array.from({ length: count * meters }, (_, at) => {
          const atMs = firstMs + Math.floor(at / meters) * minutes * 60_000;
          return { meter: `m${at % meters}`, atMs };
        });
        if (order === "falls") rows = rows.toReversed();
        if (order === "by meter") rows = rows.toSorted((a, b) => (a.meter < b.meter ? -1 : a.meter > b.meter ? 1 : 0));
        if (order === "shuffled")
          rows = rows
            .map((row, at) => ({ row, rank: (at * 7919 * seed) % 1009 }))
            .toSorted((a, b) => a.rank - b.rank)
            .map(({ row }) => row);
        // The value is the instant: a swapped hour would show.
        const all = rows.map(({ meter, atMs }) => `${format.format(atMs)},${meter},${atMs / 60_000}`);
        const data = readFile(
          lines("interval_start,meter,kw", ...all),
          { timezone: zone, intervalSeconds: minutes * 60 },
          4096,
        );
        const isTwice = (ms: number): boolean =>
          [1, 2].some((halves) =>
            [-1, 1].some((sign) => format.format(ms) === format.format(ms + sign * halves * 1_800_000)),
          );
        const isWhole = !isTwice(firstMs) && !isTwice(firstMs + (count - 1) * minutes * 60_000);
        // Lord Howe sets its clocks back by half an hour, of which hours show one time only.
        const isClear = isWhole && order !== "shuffled" && !(zone === "Australia/Lord_Howe" && minutes === 60);
        if (data.faultCount > 0) {
          expect(isClear).toBe(false);
          expect(faultsOf(data).join("\n")).toMatch(/clocks show the times of this hour twice/);
          return;
        }
        for (const { intervals } of data.series) {
          expect([...intervals.powerKw].map((minute) => minute * 60_000)).toEqual([...intervals.startMs]);
          expect(intervals.count).toBe(count);
        }
      }),
      { numRuns: propertyRuns(20) },
    );
  });
});

const twice = (second: string) =>
  readFile(lines("timestamp,interval_seconds,kw", "2026-06-01T00:15:00Z,900,1", "2026-06-01T00:30:00Z,900,2", second));

describe("intervals", () => {
  test("may be in any order", () => {
    const data = readFile(
      lines(
        "timestamp,kw",
        "2026-06-02T00:10:00Z,4",
        "2026-06-01T00:10:00Z,2",
        "2026-06-02T00:05:00Z,3",
        "2026-06-01T00:05:00Z,1",
      ),
    );
    expect(rowsOf(data).map(([, , kw]) => kw)).toEqual([1, 2, 3, 4]);
  });

  test("that are there twice count once, and those that overlap are faults", () => {
    expect(rowsOf(twice("2026-06-01T00:30:00Z,900,2"))).toHaveLength(2);
    for (const overlapping of [
      "2026-06-01T00:30:00Z,900,3",
      "2026-06-01T00:30:00Z,300,2",
      "2026-06-01T00:20:00Z,300,2",
    ])
      expect(faultsOf(twice(overlapping)).map((each) => each.replace(/^.*overlaps/, "overlaps"))).toEqual([
        expect.stringMatching(/^overlaps the one on line [234]/),
      ]);
  });
});

const faulty = (count: number) =>
  readFile(lines("timestamp,kw", ...Array.from({ length: count }, () => "x,1")), {}, 4096);

const rowOf = (meter: string) => `2026-06-01T00:05:00Z,300,${meter},1`;

const withMeters = (...meters: readonly string[]) =>
  faultsOf(readFile(lines("timestamp,interval_seconds,meter,kw", ...meters.map(rowOf)), {}, 4096));

describe("a file", () => {
  test.for([
    ["", "1: the file has no intervals"],
    ["\ufeff\n  \n", "1: the file has no intervals"],
    ["timestamp,kw\n", "1: the file has no intervals"],
    [
      "kw\n1\n",
      "1: the header has no column of times; name it timestamp or interval_end for the end of an interval, interval_start for its start",
    ],
    ["timestamp,meter\n", "1: the header has no column of values; name it kw or kwh, or one for each meter"],
    ["timestamp,kw,note\n", '1: the column "note" is unknown next to kw; remove it'],
    [
      "timestamp,Main\n",
      '1: the column "Main" is unknown; a column for a meter is named after it and its unit, for example Main meter (kWh)',
    ],
    ["timestamp,kw,KW\n", '1: the column "KW" is in the header twice; remove one'],
    ["timestamp,kw\n2026-06-01T00:05:00Z\n", "2: the line has 1 cells, the header 2"],
    ['timestamp,kw\n"2026-06-01T00:05:00Z,1\n', "2: the line has unmatched quotes instead of cells, the header 2"],
    [
      "timestamp,kw\n01/06/2026,1\n",
      '2: the time is "01/06/2026"; give it like 2026-07-01T18:00:00Z or 2026-07-01 18:00',
    ],
    [
      "timestamp,kw\n2026-02-30T00:00:00Z,1\n",
      '2: the time is "2026-02-30T00:00:00Z"; give it like 2026-07-01T18:00:00Z or 2026-07-01 18:00',
    ],
    [
      "timestamp,kw\n2026-06-01T00:05:00Z,Infinity\n",
      '2: the value "Infinity" of kw is no number; correct it or leave it empty',
    ],
    [
      "timestamp,kw\n2026-06-01T00:05:00Z,0x10\n",
      '2: the value "0x10" of kw is no number; correct it or leave it empty',
    ],
    ["timestamp,meter,kw\n2026-06-01T00:05:00Z,,1\n", "2: the line names no meter; give its name or id"],
  ] as const)("%j is refused", ([text, fault]) => {
    expect(faultsOf(readFile(text))[0]).toBe(fault);
  });

  test("has at most 500 meters, with names of at most 200 characters", () => {
    expect(withMeters("m".repeat(200))).toEqual([]);
    expect(withMeters("m".repeat(201))).toEqual([
      expect.stringMatching(/^2: the name .* has more than 200 characters/),
    ]);
    const names = Array.from({ length: 501 }, (_, at) => `m${at}`);
    expect(withMeters(...names.slice(1))).toEqual([]);
    expect(withMeters(...names)).toEqual(["502: the file has more than 500 meters; split it into several files"]);
  });

  test("may have a byte order mark, CRLF, quotes, blank lines and no end of line", () => {
    const data = readFile('\ufeff"timestamp","kw"\r\n\r\n"2026-06-01T00:05:00Z","1"\r\n"2026-06-01T00:10:00Z","2"');
    expect(faultsOf(data)).toEqual([]);
    expect(rowsOf(data).map(([, , kw]) => kw)).toEqual([1, 2]);
  });

  test("may be UTF-16 with its mark, and is refused if it is no text", () => {
    const text = "timestamp,Zähler kW\r\n2026-06-01T00:05:00Z,1\r\n2026-06-01T00:10:00Z,2\r\n";
    const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
    expect(readFile(utf16).series[0]?.name).toBe("Zähler");
    expect(faultsOf(readFile(Buffer.from(text, "latin1")))).toEqual([
      "1: the file is not UTF-8 text; save it as UTF-8",
    ]);
    expect(faultsOf(readFile(Buffer.from(`timestamp,kw\n2026-06-01T00:05:00Z,1\n\xff`, "latin1")))).toEqual([
      "3: the file is not UTF-8 text; save it as UTF-8",
    ]);
  });

  test("with more faults than are kept says how many there are, and is not read to its end with too many", () => {
    const { faultCount, faults } = faulty(10_000);
    expect([faultCount, faults.length]).toEqual([10_000, 1000]);
    expect(faulty(20_000).faultCount).toBe(10_001);
  });

  test("reads the same in pieces of any length", () => {
    const text = lines("timestamp,Zähler kWh", "2026-06-01T00:15:00Z,1", "2026-06-01T00:30:00Z,2", "x,3");
    const whole = readFile(text, {}, 10_000);
    for (let bytes = 1; bytes < 60; bytes++) expect(readFile(text, {}, bytes)).toEqual(whole);
  });

  test("of anything never throws", () => {
    const start = fc.constantFrom(
      "",
      "<",
      "100,NEM12\n",
      "timestamp,kw\n",
      '<feed xmlns="http://www.w3.org/2005/Atom">',
    );
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 300 }), (text, bytes) => {
        const data = readFile(Buffer.concat([Buffer.from(text), bytes]));
        expect(data.faultCount + data.series.length).toBeGreaterThan(0);
      }),
    );
  });
});
