import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KeptProfile, MeterData, ReadOptions } from "../src/index.js";
import { faultsOf, readFile, rowsOf } from "./support/read-file.js";

/** What an import saves of the mapping that a file was read by. */
const saved = ({ table }: MeterData): KeptProfile => {
  if (table === null) throw new Error("the file has no table");
  return { name: "portal", header: table.header, mapping: table.lasting };
};

const zone: ReadOptions = { timezone: "Europe/Berlin" };
const clocks = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => new Date(at * 900_000).toISOString().slice(11, 16));
const file = (header: string, day: string, cells: readonly string[], ...titles: readonly string[]): string =>
  [...titles, header, ...clocks(cells.length).map((clock, at) => `${day} ${clock};${cells[at] ?? ""}`)].join("\n");

const openOf = ({ table, faultCount }: MeterData): string[] =>
  faultCount === 0 ? [] : (table?.doubts.map(({ member }) => member) ?? []);

/** Reads June and saves its mapping, then July by it and without. */
const months = (june: string, july: string) => {
  const first = readFile(june, zone, 65_536);
  expect(faultsOf(first)).toEqual([]);
  const read = readFile(july, { ...zone, kept: [saved(first)] }, 65_536);
  expect(read.table?.profile?.name).toBe("portal");
  return { read, guessed: readFile(july, zone, 65_536) };
};

const step = (at: number): number => 100 + ((at * 37) % 800);

const quarters = (cell: (at: number) => string): string[] => Array.from({ length: 96 }, (_, at) => cell(at));
const watts = "Datum;Verbrauch (Wh)";

describe("numbers without a sign", () => {
  const june = file(
    watts,
    "2026-06-01",
    quarters((at) => String(step(at))),
  );

  test("leave open whether 1.100 has decimals", () => {
    const july = file(
      watts,
      "2026-07-01",
      quarters((at) => `1.${step(at)}`),
    );
    expect(openOf(months(june, july).read)).toEqual(["decimal"]);
  });

  test("do not hide that 1,100.5 has both signs", () => {
    const zeros = file(
      watts,
      "2026-06-01",
      quarters(() => "0"),
    );
    const { read } = months(
      zeros,
      file(
        watts,
        "2026-07-01",
        quarters((at) => `1,${step(at)}.5`),
      ),
    );
    expect(faultsOf(read)).toEqual([]);
    expect(rowsOf(read)[0]?.[2]).toBeCloseTo((1100.5 * 4) / 1000);
  });
});

/** Of a quarter of June. */
const day = (at: number): string => `2026-06-${String(1 + Math.floor(at / 96)).padStart(2, "0")}`;

/** Ten days of numbers without a sign, the last hours of which have this cell. */
const late = (cell: string): string =>
  [
    watts,
    ...Array.from({ length: 960 }, (_, at) => `${day(at)} ${clocks(96)[at % 96]};${at < 900 ? step(at) : cell}`),
  ].join("\n");

test("a sign that comes after hundreds of values without any is asked about, if it may be either", () => {
  expect(openOf(readFile(late("1.100"), zone, 4096))).toEqual(["decimal"]);
  expect(readFile(late("1.100,5"), zone, 4096).table?.mapping).toMatchObject({ decimal: ",", thousands: "." });
});

test("a sign of decimals that was seen is kept, and what is between thousands is left to the next file", () => {
  const june = file(
    watts,
    "2026-06-01",
    quarters((at) => `${1 + ((at * 7) % 30)},5`),
  );
  const { read } = months(
    june,
    file(
      watts,
      "2026-07-01",
      quarters((at) => `1.${step(at)}`),
    ),
  );
  expect(faultsOf(read)).toEqual([]);
  expect(rowsOf(read)[0]?.[2]).toBeCloseTo(4.4);
});

test("a unit of the lines above the header is that of one file only", () => {
  const cells = quarters((at) => `${(at * 7) % 30},5`);
  const june = file("Datum;Verbrauch", "2026-06-01", cells, "Alle Werte in kWh");
  const { read } = months(june, file("Datum;Verbrauch", "2026-07-01", cells, "Alle Werte in MWh"));
  expect(read.table?.mapping.values).toMatchObject([{ unit: "MWh" }]);
});

test("zeros of an export do not tell whether its values are negative", () => {
  const name = "Datum;Einspeisung (kWh)";
  const june = file(
    name,
    "2026-06-01",
    quarters(() => "0,0"),
  );
  const { read } = months(
    june,
    file(
      name,
      "2026-07-01",
      quarters((at) => `-${(at * 7) % 30},5`),
    ),
  );
  expect(rowsOf(read)[1]?.[2]).toBe(-30);
});

test("a title that speaks of production is asked about, although June had none", () => {
  const cells = quarters((at) => `${(at * 7) % 30},5`);
  const june = file("Datum;Werte (kWh)", "2026-06-01", cells);
  expect(openOf(months(june, file("Datum;Werte (kWh)", "2026-07-01", cells, "Produktion Dach")).read)).toEqual([
    "values[].sign",
  ]);
});

const kwhOf = (data: MeterData): number => rowsOf(data).reduce((sum, [, s, kw]) => sum + (s * kw) / 3600, 0);
/** June with an answer to its question, whose mapping is saved; then July by it. */
const answered = (sign: "load" | "export", june: string, july: string): MeterData => {
  const first = readFile(june, { ...zone, mapping: { values: [{ sign }] } }, 65_536);
  expect(faultsOf(first)).toEqual([]);
  return readFile(july, { ...zone, kept: [saved(first)] }, 65_536);
};

describe("the sign of a column", () => {
  const cells = quarters((at) => `${1 + ((at * 7) % 30)},5`);
  const neutral = "Time;Value (kWh)";
  const [roof, house] = ["PV-Anlage Dach", "Hausverbrauch Erdgeschoss"];

  test("that was answered because of a title holds for that file alone", () => {
    const june = file(neutral, "2026-06-01", cells, roof);
    expect(openOf(readFile(june, zone, 65_536))).toEqual(["values[].sign"]);
    const next = answered("export", june, file(neutral, "2026-07-01", cells, house));
    expect(faultsOf(next)).toEqual([]);
    expect(kwhOf(next)).toBeGreaterThan(0);
    for (const sign of ["load", "export"] as const)
      expect(openOf(answered(sign, june, file(neutral, "2026-07-01", cells, roof)))).toEqual(["values[].sign"]);
  });

  test("is kept if it was stated, and no title could decide it", () => {
    const july = file(neutral, "2026-07-01", cells, house);
    for (const title of [[], [house]])
      expect(kwhOf(answered("export", file(neutral, "2026-06-01", cells, ...title), july))).toBeLessThan(0);
    const both = "Time;Eigenverbrauch PV (kWh)";
    for (const [sign, factor] of [
      ["load", 1],
      ["export", -1],
    ] as const)
      expect(
        factor * kwhOf(answered(sign, file(both, "2026-06-01", cells), file(both, "2026-07-01", cells))),
      ).toBeGreaterThan(0);
  });

  test("of an export is that of the values in each file, whichever June had", () => {
    const named = "Time;Export (kWh)";
    const month = (day: string, sign: string) =>
      file(
        named,
        day,
        cells.map((cell) => `${sign}${cell}`),
      );
    for (const june of ["", "-"])
      for (const july of ["", "-"]) {
        const { read } = months(month("2026-06-01", june), month("2026-07-01", july));
        expect(faultsOf(read)).toEqual([]);
        expect(kwhOf(read)).toBeLessThan(0);
      }
  });
});

test("values that stood still are asked about once they rise like a register", () => {
  const june = file(
    "Datum;Haus (kWh)",
    "2026-06-01",
    quarters(() => "0,0"),
  );
  const july = file(
    "Datum;Haus (kWh)",
    "2026-07-01",
    quarters((at) => `${at},5`),
  );
  expect(openOf(months(june, july).read)).toEqual(["values[].kind"]);
});

test("estimated values are found in a column that was empty", () => {
  const header = "Datum;Verbrauch (kWh);Status";
  const june = file(
    header,
    "2026-06-01",
    quarters((at) => `${(at * 7) % 30},5;`),
  );
  const { read, guessed } = months(
    june,
    file(
      header,
      "2026-07-01",
      quarters((at) => `${(at * 7) % 30},5;estimated`),
    ),
  );
  expect(guessed.table?.mapping.quality_column).toBe(3);
  expect(rowsOf(read)).toEqual(rowsOf(guessed));
});

const clockAt = (minute: number): string => new Date(minute * 60_000).toISOString().slice(11, 16);

/** A day with starts and ends, which are some minutes short. */
const spans = (day: string, minutes: number, short: number): string =>
  [
    "Von;Bis;Verbrauch (kWh)",
    ...Array.from({ length: 1440 / minutes }, (_, at) => {
      const end = (at + 1) * minutes - short;
      const until = end === 1440 ? `${day.slice(0, 9)}2 00:00` : `${day} ${clockAt(end)}`;
      return `${day} ${clockAt(at * minutes)};${until};${(at * 7) % 30},5`;
    }),
  ].join("\n");

test.for([0, 1])("ends tell the length of intervals in each file, also %i minutes short", (short) => {
  const { read, guessed } = months(spans("2026-06-01", 15, short), spans("2026-07-01", 30, short));
  expect(faultsOf(read)).toEqual([]);
  expect(rowsOf(read)[0]?.[1]).toBe(1800);
  expect(rowsOf(read)).toEqual(rowsOf(guessed));
});

interface Form {
  /** Its sign of decimals; null: it has none. */
  readonly decimal: "." | "," | null;
  readonly cell: (at: number) => string;
  readonly kwh: (at: number) => number;
}

/** Cells as meters and portals write them: two months of one layout may differ in each of these. */
const forms = fc.constantFrom<Form>(
  { decimal: null, cell: (at) => String(step(at)), kwh: step },
  { decimal: null, cell: () => "0", kwh: () => 0 },
  { decimal: null, cell: (at) => `1 ${step(at)}`, kwh: (at) => 1000 + step(at) },
  { decimal: ",", cell: (at) => `${step(at)},25`, kwh: (at) => step(at) + 0.25 },
  { decimal: ".", cell: (at) => `${step(at)}.25`, kwh: (at) => step(at) + 0.25 },
  { decimal: ",", cell: (at) => `1.${step(at)}`, kwh: (at) => 1000 + step(at) },
  { decimal: ".", cell: (at) => `1,${step(at)}`, kwh: (at) => 1000 + step(at) },
  { decimal: ",", cell: (at) => `1.${step(at)},5`, kwh: (at) => 1000.5 + step(at) },
  { decimal: ".", cell: (at) => `1,${step(at)}.5`, kwh: (at) => 1000.5 + step(at) },
);

const RUNS = propertyRuns(8, { atMost: 500 });
/** Enough for whatever is rare to happen. */
const MANY_RUNS = 100;

test("what is saved of one month never has the next one read wrongly in silence, whatever its numbers look like", () => {
  let [tried, used, asked] = [0, 0, 0];
  fc.assert(
    fc.property(forms, forms, fc.constantFrom("Verbrauch (kWh)", "Wert"), fc.boolean(), (a, b, name, isTitled) => {
      fc.pre(a.decimal === null || b.decimal === null || a.decimal === b.decimal);
      tried += 1;
      const titles = name === "Wert" ? ["Alle Werte in kWh"] : isTitled ? ["Lastgang"] : [];
      const header = `Datum;${name}`;
      const first = readFile(file(header, "2026-06-01", quarters(a.cell), ...titles), zone, 65_536);
      // Thousands alone are asked about in June already.
      if (first.faultCount > 0) return;
      const july = file(header, "2026-07-01", quarters(b.cell), ...titles);
      const read = readFile(july, { ...zone, kept: [saved(first)] }, 65_536);
      if (read.faultCount > 0) {
        asked += Number(openOf(read).includes("decimal"));
        return;
      }
      used += 1;
      expect(rowsOf(read).map(([, , kw]) => kw)).toEqual(quarters(String).map((_, at) => b.kwh(at) * 4));
    }),
    { numRuns: RUNS },
  );
  // A long run ends early on a busy machine.
  expect(used).toBeGreaterThan(tried / 4);
  if (tried === RUNS || tried >= MANY_RUNS) expect(asked).toBeGreaterThan(tried / 40);
});
