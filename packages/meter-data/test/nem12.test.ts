import { describe, expect, test } from "vitest";
import { faultsOf, readFile, rowsOf, summary } from "./support/read-file.js";

const HEADER = "100,NEM12,202606011200,MDP1,RETAIL1";
const END = "900";
const file = (...records: readonly string[]): string => [HEADER, ...records, END, ""].join("\n");
const channel = (suffix = "E1", unit = "kWh", minutes = 30, nmi = "NMI1234567"): string =>
  `200,${nmi},E1B1Q1,1,${suffix},N1,METER1,${unit},${minutes},`;
const day = (date: string, values: readonly (number | string)[], quality = "A"): string =>
  `300,${date},${values.join(",")},${quality},,,20260602031500,`;
const same = (count: number, value: number): number[] => Array.from({ length: count }, () => value);

describe("a day", () => {
  test.for([
    [30, 48],
    [15, 96],
    [5, 288],
  ] as const)("of %i-minute intervals has %i values, from midnight of market time on", ([minutes, count]) => {
    const values = Array.from({ length: count }, (_, index) => index + 1);
    const data = readFile(file(channel("E1", "kWh", minutes), day("20260601", values)));
    expect(faultsOf(data)).toEqual([]);
    const rows = rowsOf(data);
    expect(rows).toHaveLength(count);
    expect(rows[0]).toEqual(["2026-05-31T14:00:00.000Z", minutes * 60, 60 / minutes]);
    const lastMs = Date.parse("2026-06-01T14:00:00Z") - minutes * 60_000;
    expect(rows.at(-1)).toEqual([new Date(lastMs).toISOString(), minutes * 60, (count * 60) / minutes]);
    expect(data.format).toBe("nem12");
    expect(data.series[0]).toMatchObject({ name: "NMI1234567:E1", description: "meter METER1", unit: "kWh" });
  });

  test("begins at midnight of another offset if one is stated", () => {
    const text = file(channel(), day("20260601", same(48, 1)));
    expect(rowsOf(readFile(text, { timezone: "+08:00" }))[0]?.[0]).toBe("2026-05-31T16:00:00.000Z");
    expect(faultsOf(readFile(text, { timezone: "Australia/Sydney" }))).toEqual([
      '1: NEM12 has no daylight saving time; state an offset such as +10:00 instead of "Australia/Sydney"',
    ]);
  });

  test.for([
    [47, "3: the day has 47 values; a day of 30-minute intervals has 48"],
    [49, "3: the day has 49 values; a day of 30-minute intervals has 48"],
  ] as const)("with %i values is a fault with its line", ([count, fault]) => {
    expect(faultsOf(readFile(file(channel(), day("20260601", same(count, 1)))))).toEqual([fault]);
  });

  test("without a quality, with an impossible date or with a value that is no number is a fault", () => {
    expect(faultsOf(readFile(file(channel(), `300,20260601,${same(48, 1).join(",")}`)))).toEqual([
      "3: the 300 record has no quality after its values; give A, S, F, E, N or V",
    ]);
    expect(faultsOf(readFile(file(channel(), day("20260230", same(48, 1)))))).toEqual([
      '3: the 300 record has the date "20260230"; give it as YYYYMMDD',
    ]);
    expect(faultsOf(readFile(file(channel(), day("20260601", ["x", -1, "", ...same(45, 1)]))))).toEqual([
      '3: value 1 of the day is "x"; give a number of at least 0',
      '3: value 2 of the day is "-1"; give a number of at least 0',
      '3: value 3 of the day is ""; give a number of at least 0',
    ]);
  });
});

describe("a value", () => {
  test.for([
    ["Wh", 1500, 3],
    ["KWH", 1.5, 3],
    ["mwh", 0.0015, 3],
    ["W", 3000, 3],
    ["kW", 3, 3],
    ["MW", 0.003, 3],
  ] as const)("in %s becomes kW", ([unit, value, kw]) => {
    expect(rowsOf(readFile(file(channel("E1", unit), day("20260601", same(48, value)))))[0]?.[2]).toBeCloseTo(kw, 12);
  });

  test("into the grid is negative, and reactive energy is left out by name", () => {
    const data = readFile(
      file(
        channel("B1"),
        day("20260601", [0, ...same(47, 2)]),
        channel("Q1", "kVArh"),
        day("20260601", same(48, 9)),
        channel("E2", "kVArh"),
        "300,whatever",
      ),
    );
    expect(faultsOf(data)).toEqual([]);
    expect(rowsOf(data).map(([, , kw]) => kw)).toEqual([0, ...same(47, -4)]);
    expect(Object.is(rowsOf(data)[0]?.[2], 0)).toBe(true);
    expect(data.leftOut).toEqual([
      {
        name: "NMI1234567:Q1",
        line: 4,
        reason: 'suffix "Q1" is neither energy from the grid (E) nor into it (B)',
      },
      { name: "NMI1234567:E2", line: 6, reason: "its unit is kVArh" },
    ]);
  });

  test("that was estimated or substituted is marked, and one that is null is missing", () => {
    const data = readFile(
      file(
        channel(),
        day("20260601", same(48, 1), "V"),
        "400,1,10,A,,",
        "400,11,20,S14,32,",
        "400,21,30,F16,,",
        "400,31,40,E52,,",
        "400,41,46,N,,",
        "400,47,48,A,,",
      ),
    );
    expect(faultsOf(data)).toEqual([]);
    expect(summary(data)).toMatchObject({ intervals: 42, estimated: 30, missing: 6, energyKwh: 42 });
    expect(rowsOf(data)[40]).toEqual(["2026-06-01T10:00:00.000Z", 1800, Number.NaN]);
  });

  test("of a day without data is missing, whatever stands there", () => {
    const days = [day("20260601", same(48, 1)), day("20260602", same(48, 5), "N"), day("20260603", same(48, 1))];
    expect(summary(readFile(file(channel(), ...days)))).toMatchObject({ intervals: 96, missing: 48, energyKwh: 96 });
  });
});

describe("the qualities of intervals", () => {
  const varying = day("20260601", same(48, 1), "V");

  test.for([
    [["400,1,47,A,,"], "3: no 400 record has interval 48 of this day, whose quality is V; add it"],
    [
      ["400,1,48,A,,", "400,48,48,S,,"],
      "5: the 400 record has intervals that an earlier one has, too; remove one of them",
    ],
    [["400,1,49,A,,"], '4: the 400 record has intervals "1 to 49"; the day has 1 to 48'],
    [["400,1,48,V,,"], '4: the 400 record has the quality "V"; give A, S, F, E or N'],
  ] as const)("are faults if they do not cover a day once: %j", ([records, fault]) => {
    expect(faultsOf(readFile(file(channel(), varying, ...records)))).toContain(fault);
  });

  test("may only follow a day that says so", () => {
    expect(faultsOf(readFile(file(channel(), day("20260601", same(48, 1)), "400,1,48,A,,")))).toEqual([
      "4: a 400 record follows a day whose quality is not V; remove it",
    ]);
  });
});

const twice = (second: number) =>
  readFile(file(channel(), day("20260601", same(48, 1)), day("20260601", [...same(47, 1), second])));

describe("a file", () => {
  test("may have byte order mark, CRLF, B2B details and blank lines", () => {
    const text = `\ufeff${file(channel(), day("20260601", same(48, 1)), "500,O,S00010,20260601,123", "")}`;
    const data = readFile(text.replaceAll("\n", "\r\n"));
    expect(faultsOf(data)).toEqual([]);
    expect(summary(data).intervals).toBe(48);
  });

  test("in which a channel comes back goes on with it", () => {
    const data = readFile(
      file(
        channel(),
        day("20260602", same(48, 2)),
        channel("E2"),
        day("20260601", same(48, 1)),
        channel(),
        day("20260601", same(48, 1)),
      ),
    );
    expect(faultsOf(data)).toEqual([]);
    expect(data.series.map(({ name }) => name)).toEqual(["NMI1234567:E1", "NMI1234567:E2"]);
    expect(summary(data)).toMatchObject({ intervals: 96, missing: 0, energyKwh: 144 });
  });

  test("that has a day twice is a fault, unless both are the same", () => {
    expect(summary(twice(1))).toMatchObject({ intervals: 48, energyKwh: 48 });
    expect(faultsOf(twice(2))).toEqual([
      "4: the interval of NMI1234567:E1 that begins at 2026-06-01T13:30:00.000Z overlaps the one on line 3, and is not the same; remove one of them",
    ]);
  });

  test("that is cut off, or has records where none belong, is a fault", () => {
    const whole = file(channel(), day("20260601", same(48, 1)));
    expect(faultsOf(readFile(whole.replace(/900\n$/, "")))).toEqual([
      "3: the file ends without its 900 record; it may be cut off, get it again",
    ]);
    expect(faultsOf(readFile(`${whole}300,20260602,1`))).toEqual([
      "5: a 300 record follows the 900 record, which ends the file",
    ]);
    expect(faultsOf(readFile(file(day("20260601", same(48, 1)))))).toEqual([
      "2: a 300 record comes before any 200 record, which names its meter",
    ]);
    expect(faultsOf(readFile(file("777,x", channel(), day("20260601", same(48, 1)))))).toEqual([
      '2: "777,x" is no record of NEM12; records begin with 100, 200, 300, 400, 500 or 900',
    ]);
    expect(faultsOf(readFile(whole.replace("NEM12,", "NEM14,")))).toEqual([
      '1: the 100 record names "NEM14"; it must name NEM12',
    ]);
  });

  test("without its 100 record is read, as some portals write it, and says so without its 900 record, too", () => {
    const records = [channel(), day("20260601", same(48, 1))].join("\n");
    const whole = readFile(`${records}\n900\n`);
    expect(faultsOf(whole)).toEqual([]);
    expect(summary(whole)).toMatchObject({ intervals: 48, energyKwh: 48 });
    const open = readFile(records);
    expect(faultsOf(open)).toEqual([]);
    expect(open.notes).toEqual([{ line: 2, message: expect.stringMatching(/neither a 100 nor a 900 record/) }]);
    expect(faultsOf(readFile(day("20260601", same(48, 1))))).toEqual([
      "1: the file does not begin with a 100 record that names NEM12, or with the 200 record of a meter",
    ]);
  });

  test("of NEM13 is refused, since it has no intervals", () => {
    const refused =
      "1: the file is NEM13, which has totals between two visits and no intervals; get NEM12, which has intervals";
    expect(faultsOf(readFile("100,NEM13,202606011200,MDP1,RETAIL1\n250,x\n"))).toEqual([refused]);
    expect(faultsOf(readFile("250,NMI1234567,1141,01,11,11,METER1,E,00001\n"))).toEqual([refused]);
  });

  test("has at most 500 data streams", () => {
    const channels = Array.from({ length: 501 }, (_, at) => channel("E1", "kWh", 30, `NMI${at}`));
    expect(faultsOf(readFile(file(...channels), {}, 4096))).toEqual([
      "502: the file has more than 500 data streams; split it into several files",
    ]);
  });

  test("names what its channels lack", () => {
    expect(faultsOf(readFile(file("200,,E1,1,,N1,METER1,apples,7,")))).toEqual([
      "2: the 200 record has no NMI; its second cell must name it",
      "2: the 200 record has no suffix such as E1 in its fifth cell; state it",
      '2: the 200 record has the unit "apples"; give Wh, kWh, MWh, W, kW or MW',
      '2: the 200 record has an interval length of "7"; NEM12 has 5, 15, 30 minutes',
    ]);
  });

  test("of reactive energy only says so", () => {
    expect(faultsOf(readFile(file(channel("K1", "kVArh"), day("20260601", same(48, 1)))))).toEqual([
      '1: the file has no load or export: "NMI1234567:K1" is left out because suffix "K1" is neither energy from the grid (E) nor into it (B)',
    ]);
  });
});
