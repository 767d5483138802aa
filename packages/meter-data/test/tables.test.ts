import { describe, expect, test } from "vitest";
import type { MeterData, StatedMapping } from "../src/index.js";
import { faultsOf, readFile, rowsOf, summary } from "./support/read-file.js";

const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`;
const read = (text: string, mapping: StatedMapping = {}, timezone = "Europe/Berlin"): MeterData =>
  readFile(text, { timezone, mapping }, 4096);
const doubtsOf = ({ table }: MeterData) => table?.doubts.map(({ member }) => member);
const kwOf = (data: MeterData, at = 0) => rowsOf(data, at).map(([, , kw]) => kw);

/** Quarters of a day from a time on. */
const quarters = (count: number, of: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => of(at));
const clock = (at: number): string =>
  `${String(Math.floor(at / 4) % 24).padStart(2, "0")}:${String((at % 4) * 15).padStart(2, "0")}`;

const hoursOfDay = (day: string) => quarters(8, (at) => `${day} ${clock(at)},${1 + ((at * 3) % 5)}`);
const fourAt = (at: number) => `2026-06-01 ${String(at).padStart(2, "0")}:00,4`;
const readingAt = (hour: number, value: number | string) => `2026-06-01 ${String(hour).padStart(2, "0")}:00,${value}`;
const springNight = (skipped: string) => [
  "Interval start,Import (kWh)",
  "2026-03-29 01:00,1",
  "2026-03-29 01:30,2",
  `2026-03-29 02:00,${skipped}`,
  `2026-03-29 02:30,${skipped}`,
  "2026-03-29 03:00,3",
  "2026-03-29 03:30,1",
];
const twoOf = (value: string) => lines("Start;Usage (kWh)", `2026-06-13 00:00;${value}`, `2026-06-13 00:30;${value}`);
const exportOf = (values: readonly number[]) =>
  kwOf(
    read(
      lines("Start,Grid (kWh),Einspeisung (kWh)", ...values.map((value, at) => `2026-06-13 ${clock(at)},1,${value}`)),
    ),
    1,
  );
const headerOf = (header: string, title = "") =>
  read(`${title}${header}\n2026-06-13 00:00,1\n2026-06-13 00:30,2\n`).table?.header;

const doubtsAbout = (header: string) =>
  doubtsOf(read(lines(header, ...quarters(8, (at) => `2026-06-13 ${clock(at)},${at % 3},${at % 2},${1 + (at % 4)}`))));

const signedDay = (header: string, ...titles: readonly string[]) =>
  lines(...titles, header, ...quarters(8, (at) => `2026-06-13 ${clock(at)};${at % 3};${1 + (at % 4)}`));
const signsOf = (data: MeterData) => data.table?.mapping.values.map(({ sign }) => sign);
const asked = (header: string, ...titles: readonly string[]) =>
  doubtsOf(read(signedDay(header, ...titles)))?.filter((member) => member === "values[].sign");
const ofHours = (header: string, value: (at: number) => string) =>
  read(lines(header, ...quarters(8, (at) => `2026-06-13 ${clock(at)};${value(at)}`)));
const minutes = (from: string, count: number, step: number) =>
  Array.from({ length: count }, (_, at) => new Date(Date.parse(`${from}:00Z`) + at * step * 60_000).toISOString());

describe("the day or the month", () => {
  test("is asked if the file does not tell, and read as it is stated", () => {
    const text = lines("Start,Usage (kWh)", ...hoursOfDay("06/07/2026"));
    const open = read(text);
    expect(faultsOf(open)).toEqual([
      '2: "06/07/2026 00:00": is the day or the month first? State it with mapping {"time":{"format":"day_first"}} (the day is first) or {"time":{"format":"month_first"}} (the month is first)',
    ]);
    expect(doubtsOf(open)).toEqual(["time.format"]);
    expect(rowsOf(read(text, { time: { format: "day_first" } }))[0]?.[0]).toBe("2026-07-05T22:00:00.000Z");
    expect(rowsOf(read(text, { time: { format: "month_first" } }))[0]?.[0]).toBe("2026-06-06T22:00:00.000Z");
  });

  test("is told by a number above 12, however far below", () => {
    const many = Array.from({ length: 12 }, (_, day) =>
      hoursOfDay(`${String(day + 1).padStart(2, "0")}/05/2026`),
    ).flat();
    const data = read(
      lines("Start,Usage (kWh)", ...many, ...many.map((row) => row.replace("/05/", "/06/")), "13/06/2026 00:00,1"),
    );
    expect(faultsOf(data)).toEqual([]);
    expect(data.table?.mapping.time.format).toBe("day_first");
    expect(data.table?.reasons.join()).toMatch(
      /line \d+ has "13\/06\/2026 00:00", so the day is first|follows the date before it/,
    );
  });
});

describe("the length of intervals", () => {
  test("is the commonest distance: one odd row does not turn hours into quarters, and is an overlap by name", () => {
    const rows = Array.from({ length: 12 }, (_, at) => fourAt(at)).toSpliced(6, 0, "2026-06-01 05:15,4");
    const data = read(lines("interval_start,kwh", ...rows));
    expect(faultsOf(data)).toEqual([expect.stringMatching(/^8: .* overlaps the one on line 7/)]);
    expect(summary(data)).toMatchObject({ intervalSeconds: 3600, energyKwh: 48 });
  });

  test("is kept by rows that begin a part of an interval later, which are named", () => {
    const shifted = ["2026-06-01 06:10,4", "2026-06-01 07:10,4"];
    const data = read(lines("interval_start,kwh", ...Array.from({ length: 6 }, (_, at) => fourAt(at)), ...shifted));
    expect(faultsOf(data)).toEqual([]);
    expect(data.notes).toEqual([
      { line: 8, message: expect.stringMatching(/begins 600 s after the end of the one before/) },
    ]);
  });

  test("is asked where lines go on further apart", () => {
    const rows = [
      ...quarters(40, (at) => `2026-06-01 ${clock(at)},${1 + (at % 3)}`),
      ...Array.from({ length: 8 }, (_, at) => fourAt(at + 11)),
    ];
    const text = lines("interval_start,kwh", ...rows);
    expect(doubtsOf(read(text))).toEqual(["interval_seconds"]);
    expect(faultsOf(read(text, { interval_seconds: 900 }))).toEqual([]);
  });
});

describe("intervals longer than an hour", () => {
  const hours = Array.from({ length: 6 }, (_, at) => `2026-06-01 0${at}:00;2026-06-01 0${at + 1}:00`);
  const quarter = "2026-04-01 00:00;2026-07-01 00:00";

  test("beside shorter ones are left out by name, whatever their values are", () => {
    const data = read(
      lines("Start;End;Usage (kWh)", ...hours.map((at) => `${at};1,5`), `${quarter};1.796,0`, `${quarter};none at all`),
    );
    expect(faultsOf(data)).toEqual([]);
    expect(summary(data)).toMatchObject({ intervals: 6, energyKwh: 9 });
    expect(data.notes).toEqual([
      { line: 8, message: expect.stringMatching(/^2 lines with intervals longer than an hour/) },
    ]);
  });

  test("are a fault if a file has no more of others", () => {
    const data = read(lines("Start;End;Usage (kWh)", `${hours[0]};1,5`, `${quarter};1.796,0`));
    expect(faultsOf(data)).toEqual([expect.stringMatching(/^3: .*longer than an hour are no load curve/)]);
  });

  test("of a stream of days are left out by name beside a load curve, and are a fault alone", () => {
    const hourly = hours.map((at) => `${at.slice(0, 16)};1,5;Interval`);
    const daily = ["01", "02", "03"].map((day) => `2026-06-${day} 00:00;1.036,000;Total`);
    const both = read(lines("Start;Usage (kWh);Type", ...hourly, ...daily));
    expect(faultsOf(both)).toEqual([]);
    expect(both.series.map(({ name }) => name)).toEqual(["Interval"]);
    expect(both.leftOut).toEqual([{ name: "Total", line: 8, reason: expect.stringMatching(/longer than an hour/) }]);
    const alone = read(lines("Start;Usage (kWh);Type", ...daily));
    expect(faultsOf(alone)).toEqual([expect.stringMatching(/longer than an hour/)]);
  });
});

describe("a register", () => {
  const header = "Start,Meter reading (kWh)";

  test("gives the energy between its readings", () => {
    const data = read(lines(header, readingAt(0, 100), readingAt(1, 102.5), readingAt(2, 102.5), readingAt(3, 110)));
    expect(faultsOf(data)).toEqual([]);
    expect(rowsOf(data).map(([start, , kw]) => [start.slice(11, 16), kw])).toEqual([
      ["22:00", 2.5],
      ["23:00", 0],
      ["00:00", 7.5],
    ]);
  });

  test("has a gap where more than an hour is between two readings, or one is missing", () => {
    const data = read(
      lines(header, readingAt(0, 100), readingAt(1, 101), readingAt(2, ""), readingAt(3, 107), readingAt(4, 108)),
    );
    expect(summary(data)).toMatchObject({ intervals: 2, missing: 2, energyKwh: 2 });
    expect(data.notes.map(({ message }) => message)).toEqual([expect.stringMatching(/1 times, more than an hour/)]);
  });

  test("that falls is a fault, or a gap if that is stated; it is never negative energy", () => {
    const rows = Array.from(
      { length: 60 },
      (_, hour) =>
        `2026-06-0${1 + Math.floor(hour / 24)} ${String(hour % 24).padStart(2, "0")}:00,${hour < 50 ? 500 + hour : hour - 50}`,
    );
    const text = lines(header, ...rows);
    expect(faultsOf(read(text))).toEqual([
      expect.stringMatching(/^52: Meter reading: the register falls from 549 to 0; it was reset, exchanged or misread/),
    ]);
    const left = read(text, { leave_out: { resets: true } });
    expect(faultsOf(left)).toEqual([]);
    expect(summary(left)).toMatchObject({ energyKwh: 58, missing: 1 });
    expect(Math.min(...kwOf(left))).toBe(1);
  });

  test("that falls and comes back was misread, also where resets are left out", () => {
    const text = lines(
      header,
      readingAt(0, 500),
      readingAt(1, 501),
      readingAt(2, 0),
      readingAt(3, 502),
      readingAt(4, 503),
    );
    const mapping = { values: [{ kind: "cumulative" }], leave_out: { resets: true } } as const;
    expect(faultsOf(read(text, mapping))).toEqual([
      expect.stringMatching(/^5: .* rises again from 0 to 502 after it had fallen/),
    ]);
  });
});

describe("times that clocks skip", () => {
  test.for(["", "0", "0.000"])("are left out by name if their value is %j", (skipped) => {
    const data = read(lines(...springNight(skipped)));
    expect(faultsOf(data)).toEqual([]);
    expect(summary(data)).toMatchObject({ intervals: 4, missing: 0, energyKwh: 7 });
    expect(data.notes.map(({ line }) => line)).toEqual([4, 5]);
  });

  test("are faults with a value", () => {
    expect(faultsOf(read(lines(...springNight("0.1"))))).toHaveLength(2);
  });
});

describe("lines that are no readings", () => {
  test("are left out by name: titles, comments, repeated headers, totals, remarks at the end", () => {
    const text = [
      "Load profile;;",
      "Site;12345;",
      "",
      "# made",
      "Beginn;Verbrauch (kWh);",
      ...quarters(4, (at) => `13.06.2026 ${clock(at)};${at % 2 === 0 ? 2 : 1},0;`),
      "Beginn;Verbrauch (kWh);",
      ...quarters(4, (at) => `13.06.2026 ${clock(at + 4)};2,5;`),
      "Summe;16,0;",
      "",
      "All values are made up.",
    ];
    const data = read(`\ufeff${text.join("\r\n")}`);
    expect(faultsOf(data)).toEqual([]);
    expect(summary(data)).toMatchObject({ intervals: 8, energyKwh: 16 });
    expect(data.notes.map(({ line, message }) => `${line} ${message}`)).toEqual([
      "10 the line is left out: it is the header again",
      "15 the line is left out: it is a total",
      "17 this line after the last reading is left out",
    ]);
    expect(data.table?.firstLines[4]).toEqual(["Beginn", "Verbrauch (kWh)", ""]);
  });

  test("are faults among readings", () => {
    const data = read(lines("Start,Usage (kWh)", "2026-06-13 00:00,1", "something else,", "2026-06-13 00:30,1"));
    expect(faultsOf(data)).toEqual(['3: the line "something else," has no time and no value; remove it']);
  });
});

describe("numbers", () => {
  test("with three digits behind a comma are asked, unless another value tells", () => {
    expect(doubtsOf(read(twoOf("1,234")))).toEqual(["decimal"]);
    expect(kwOf(read(twoOf("1,234"), { decimal: "," }))).toEqual([2.468, 2.468]);
    expect(kwOf(read(twoOf("1,234"), { decimal: "." }))).toEqual([2468, 2468]);
    expect(kwOf(read(`${twoOf("1,234")}2026-06-13 01:00;0,5\n`))).toEqual([2.468, 2.468, 1]);
    expect(kwOf(read(twoOf("1.234,5")))).toEqual([2469, 2469]);
    expect(kwOf(read(twoOf("1 234,5")))).toEqual([2469, 2469]);
  });
});

describe("columns", () => {
  test("are each asked for their unit, until it is stated of each", () => {
    const text = lines("Start,Usage,Usage 2", ...quarters(4, (at) => `2026-06-13 ${clock(at)},${at % 3},${at % 2}`));
    const open = (values: StatedMapping["values"]) =>
      read(text, { time: { label: "start" }, values }).table?.doubts.map(({ member, column }) => [member, column]);
    const [one, other] = [2, 3].map((column) => ["values[].unit", column]);
    expect(open([{ column: 2 }, { column: 3 }])).toEqual([one, other]);
    expect(open([{ column: 2, unit: "kWh" }, { column: 3 }])).toEqual([other]);
    expect(open([{ column: 2 }, { column: 3 }, { unit: "kWh" }])).toEqual([one, other]);
    expect(open([{ unit: "kWh" }])).toEqual([]);
  });

  test("whose names say both are each asked for their sign", () => {
    const text = lines(
      "Start,Grid export usage (kWh),Solar usage (kWh)",
      ...quarters(4, (at) => `2026-06-13 ${clock(at)},${at % 3},${at % 2}`),
    );
    const open = (values: StatedMapping["values"]) =>
      read(text, { time: { label: "start" }, values }).table?.doubts.map(({ member, column }) => [member, column]);
    const [one, other] = [2, 3].map((column) => ["values[].sign", column]);
    expect(open([{ column: 2 }, { column: 3 }])).toEqual([one, other]);
    expect(open([{ column: 2, sign: "export" }, { column: 3 }])).toEqual([other]);
  });

  test("without a unit are asked for it", () => {
    const data = read(lines("Start,Usage", "2026-06-13 00:00,1", "2026-06-13 00:30,2"));
    expect(doubtsOf(data)).toEqual(["values[].unit"]);
    expect(
      kwOf(read(lines("Start,Usage", "2026-06-13 00:00,1", "2026-06-13 00:30,2"), { values: [{ unit: "MW" }] })),
    ).toEqual([1000, 2000]);
  });

  test("of costs, temperatures, identifiers, heat and reactive energy are none of load", () => {
    const data = read(
      lines(
        "Start,Meter,Usage (kWh),Cost (EUR/kWh),Temperature,Heat (kWh),Reactive (kVArh)",
        ...quarters(8, (at) => `2026-06-13 ${clock(at)},10000000${at > 9 ? 1 : 2},${at % 3},0.25,20.5,7,3`),
      ),
    );
    expect(faultsOf(data)).toEqual([]);
    expect(data.table?.mapping.values.map(({ column }) => column)).toEqual([3]);
  });

  test("are asked if the only name that tells is one of export", () => {
    expect(doubtsAbout("Start,Delovna oddana,Blok,Prejeta")).toContain("values[].column");
    expect(doubtsAbout("Start,Usage,Blok,Prejeta")).not.toContain("values[].column");
  });

  test("are asked if several have the same name: they may count the same energy", () => {
    expect(doubtsAbout("Start,Usage (kWh),Usage (kWh),Blok")).toEqual(["values[].column"]);
    const stated = read(
      lines("Start,Usage (kWh),Usage (kWh)", ...quarters(8, (at) => `2026-06-13 ${clock(at)},${at % 3},${at % 2}`)),
      { values: [{ column: 2 }, { column: 3 }] },
    );
    expect(faultsOf(stated)).toEqual([]);
    expect(stated.series).toHaveLength(2);
  });

  test("of electricity for hot water are load, and those of water and heat are none", () => {
    const data = read(
      lines(
        "start,hot_water.electrical_energy,heating.electrical_energy,hot_water.heat_generated,water_used",
        ...quarters(8, (at) => `2026-06-13 ${clock(at)},${at % 3},${at % 2},${3 * (at % 3)},${at % 4}`),
      ),
    );
    expect(data.table?.mapping.values.map(({ column }) => column)).toEqual([2, 3]);
  });

  test("of export are negative, unless they are already", () => {
    expect(exportOf([0, 1, 2, 1])).toEqual([0, -4, -8, -4]);
    expect(exportOf([0, -1, -2, -1])).toEqual([0, -4, -8, -4]);
  });
});

test("a mapping that is stated as a whole is used as it is", () => {
  const text = lines("a;b;c", ...quarters(4, (at) => `x;13.06.2026 ${clock(at)};${at}`));
  const { table } = read(text, { time: { label: "start" }, values: [{ column: 3, unit: "kW", kind: "power" }] });
  const again = read(text, table?.mapping);
  expect(again.table?.mapping).toEqual(table?.mapping);
  expect(kwOf(again)).toEqual([0, 1, 2, 3]);
  expect(again.table?.doubts).toEqual([]);
});

test("files of one layout have the same header, and others another", () => {
  expect(headerOf("Start,Usage (kWh)", "A title\n")).toBe(headerOf("start,usage (kwh)"));
  expect(headerOf("Start,Usage (Wh)")).not.toBe(headerOf("Start,Usage (kWh)"));
  expect(headerOf("Start,Usage (kWh)")).toMatch(/^[0-9a-f]{32}$/);
});

test.for([
  [Buffer.from("PK\u0003\u0004rest"), /workbook \(XLSX\) or a zip file; open it, save the sheet as CSV/],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), /workbook \(XLS\); open it, save the sheet as CSV/],
] as const)("a workbook is refused with what to do", ([file, message]) => {
  expect(faultsOf(readFile(file, {}, 4096))).toEqual([expect.stringMatching(message)]);
});

describe("consumption or production", () => {
  test.each([
    "Netzeinspeisung (kWh)",
    "Gesamtertrag (kWh)",
    "PV-Erzeugung (kWh)",
    "Energy yield [kWh]",
    "Feed-in (kWh)",
    "feed_in_kWh",
    "TotWhOut (kWh)",
    "inverter.total_generate_energy (kWh)",
    "Opgewekt (kWh)",
  ])("%s is production by its name, with a reason", (name) => {
    const data = read(signedDay(`Start;${name};Bezug (kWh)`));
    expect(signsOf(data)).toEqual(["export", "load"]);
    expect(doubtsOf(data)).toEqual([]);
    expect(data.table?.reasons.join()).toContain("is energy into the grid by its name");
    expect(kwOf(data).every((kw) => kw <= 0)).toBe(true);
  });

  test.each(["Einspeisemanagement (kWh)", "Feedback (kWh)", "Vertragsverbrauch (kWh)", "Usage (kWh)"])(
    "%s is neither asked nor turned",
    (name) => {
      expect(signsOf(read(signedDay(`Start;${name};Bezug (kWh)`)))).toEqual(["load", "load"]);
      expect(asked(`Start;${name};Bezug (kWh)`)).toEqual([]);
    },
  );

  test("is asked where a name says both", () => {
    const text = signedDay("Start;Eigenverbrauch PV (kWh);Bezug (kWh)");
    expect(faultsOf(read(text))).toEqual([
      '1: Are the values of column 2 ("Eigenverbrauch PV (kWh)") consumption or production? "Eigenverbrauch PV (kWh)" says both. State it with mapping {"values":[{"column":2,"sign":"load"},{"column":3}]} (consumption, or energy from the grid) or {"values":[{"column":2,"sign":"export"},{"column":3}]} (production, or energy into the grid)',
    ]);
    for (const [sign, factor] of [
      ["load", 1],
      ["export", -1],
    ] as const) {
      const data = read(text, { values: [{ column: 2, sign }] });
      expect(faultsOf(data)).toEqual([]);
      expect(kwOf(data)).toEqual([0, 1, 2, 0, 1, 2, 0, 1].map((kwh) => (kwh === 0 ? 0 : factor * kwh * 4)));
    }
  });

  test.each([
    [";Gesamtertrag;", "in its column"],
    ["PV plant on the roof", "alone in its line"],
    ["Wechselrichter 1", "alone in its line"],
  ])('is asked where "%s" stands above the header, %s', (title) => {
    expect(asked("Start;kWh;Verbrauch (kWh)", title)).toEqual(["values[].sign"]);
  });

  test.each(["Solar production and consumption", ";;PV production", "Data received on Monday"])(
    'is not asked where "%s" stands above the header',
    (title) => {
      expect(asked("Start;kWh;Verbrauch (kWh)", title)).toEqual([]);
    },
  );

  test("is told by values that are negative already, also by those of a series that lines name", () => {
    const column = ofHours("Start;Eigenverbrauch PV (kWh)", (at) => `-${1 + (at % 3)}`);
    expect([doubtsOf(column), kwOf(column)[0]]).toEqual([[], -4]);
    const named = (sign: string) =>
      ofHours("Start;Meter;kWh", (at) => (at % 2 === 0 ? `Solar;${sign}${1 + (at % 3)}` : `House;${2 + (at % 3)}`));
    for (const sign of ["", "-"]) {
      const data = named(sign);
      expect(data.series.map(({ name }) => [name, kwOf(data, name === "Solar" ? 0 : 1).every((kw) => kw < 0)])).toEqual(
        [
          ["Solar", true],
          ["House", false],
        ],
      );
      expect(
        data.notes.filter(({ message }) => message === "Solar is energy into the grid by its name, so it is negative"),
      ).toHaveLength(sign === "" ? 1 : 0);
    }
  });
});

describe("lines that are closer together", () => {
  const long = minutes("2026-06-01T00:00", 60, 10);

  test.each([
    ["start", "2026-06-01T10:00", "2026-06-01T10:20"],
    ["end", "2026-06-01T09:51", "2026-06-01T10:20"],
  ] as const)("many times are shorter intervals by a note, with the same energy: %s", (label, from, again) => {
    const times = [...long, ...minutes(from, 20, 1), ...minutes(again, 6, 10)];
    const data = read(lines(`Interval ${label},kWh used`, ...times.map((at, index) => `${at},${1 + (index % 3)}`)));
    expect(faultsOf(data)).toEqual([]);
    const { seconds, powerKw, count } = data.series[0]?.intervals ?? { seconds: [], powerKw: [], count: 0 };
    expect([...seconds].slice(0, count).filter((each) => each === 60)).toHaveLength(20);
    const energy = [...powerKw].slice(0, count).reduce((sum, kw, at) => sum + (kw * (seconds[at] ?? 0)) / 3600, 0);
    expect(energy).toBeCloseTo(
      times.reduce((sum, _, index) => sum + 1 + (index % 3), 0),
      6,
    );
    expect(data.notes.map(({ message }) => message)).toContainEqual(expect.stringMatching(/20 lines are 60 s apart/));
  });

  test.each([
    ["end", "2026-06-01T00:00", 6, "2026-06-01T07:00", "2026-06-01T07:15", "2026-06-01T11:00"],
    ["end", "2026-06-01T00:00", 6, "2026-06-01T09:30", "2026-06-01T09:45", "2026-06-01T13:30"],
    ["start", "2026-06-01T00:00", 7, null, "2026-06-01T07:00", "2026-06-01T12:00"],
  ] as const)(
    "beside a gap leave the row of most at their edge its length: %s",
    (label, from, count, edge, short, again) => {
      const hourly = (start: string, hours: number) => minutes(start, hours, 60).map((at) => `${at},4`);
      const quarterly = (hours: number) => minutes(short, hours * 4, 15).map((at) => `${at},1`);
      const data = read(
        lines(
          `Interval ${label},kWh used`,
          ...hourly(from, count),
          ...(edge === null ? [] : hourly(edge, 1)),
          ...quarterly(3),
          // Of starts, the row at which the quarters end begins an hour, and the next line is missing.
          ...(label === "end" ? [] : [`${minutes(short, 13, 15)[12]},4`]),
          ...hourly(again, 24),
        ),
      );
      expect(faultsOf(data)).toEqual([]);
      expect(new Set(kwOf(data))).toEqual(new Set([4]));
    },
  );

  test("a few times are overlaps by name, as before", () => {
    const data = read(
      lines(
        "Interval start,kWh used",
        ...[...long, ...minutes("2026-06-01T09:51", 5, 1)].map((at, index) => `${at},${1 + (index % 3)}`),
      ),
    );
    expect(faultsOf(data).length).toBeGreaterThan(0);
    for (const fault of faultsOf(data)) expect(fault).toMatch(/overlaps/);
  });
});

describe("a series whose lines do not tell their length", () => {
  const house = quarters(8, (at) => `2026-06-13 ${clock(4 * at)};House;${1 + (at % 3)}`);

  test.each([
    ["one line", ["2026-06-13 03:00;Door;1"]],
    ["lines that are far apart", ["2026-06-13 01:00;Door;1", "2026-06-13 05:00;Door;2"]],
  ])("(%s) is asked beside others that tell it, and a fault alone", (_what, door) => {
    const text = lines("Start;Meter;kWh", ...house, ...door);
    const open = read(text);
    expect(doubtsOf(open)).toEqual(["interval_seconds"]);
    expect(faultsOf(open)[0]).toMatch(/Door: .*are they 60 minutes long.*\{"interval_seconds":3600\}/);
    const data = read(text, { interval_seconds: 3600 });
    expect(faultsOf(data)).toEqual([]);
    expect(data.series.map(({ intervals }) => intervals.count)).toEqual([8, door.length]);
    const alone = read(lines("Start;Meter;kWh", ...door));
    expect(doubtsOf(alone)).not.toContain("interval_seconds");
    expect(faultsOf(alone)[0]).toMatch(/length of its intervals is unknown|longer than an hour/);
  });
});

describe("times as browsers write them", () => {
  test("are read with their offset", () => {
    const data = read(
      lines(
        ...Array.from(
          { length: 12 },
          (_, at) => `Wed Aug 09 2017 0${Math.floor(at / 6)}:${at % 6}0:00 GMT+0200 (W. Europe Daylight Time);${at}`,
        ),
      ),
      { values: [{ unit: "W", kind: "power" }], time: { label: "start" } },
      "America/New_York",
    );
    expect(faultsOf(data)).toEqual([]);
    expect(rowsOf(data)[0]?.[0]).toBe("2017-08-08T22:00:00.000Z");
    expect(data.table?.mapping.time.format).toBe("month_name");
  });
});
