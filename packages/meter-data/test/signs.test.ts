import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MeterData, StatedMapping } from "../src/index.js";
import { faultsOf, readFile, rowsOf } from "./support/read-file.js";

const read = (text: string, mapping: StatedMapping = {}): MeterData =>
  readFile(text, { timezone: "Europe/Berlin", mapping }, 65_536);
const doubtsOf = ({ table }: MeterData) => table?.doubts.map(({ member, column }) => [member, column]);

/** Lines a minute apart. */
const minutes = (count: number, cells: (at: number) => string, from = "2026-06-13T00:00Z"): string[] =>
  Array.from({ length: count }, (_, at) => `${new Date(Date.parse(from) + at * 60_000).toISOString()};${cells(at)}`);
const file = (...lines: readonly string[]): string => lines.join("\n");

/** Sum of each series by its name. */
const energies = (data: MeterData): Record<string, number> => {
  expect(faultsOf(data)).toEqual([]);
  const sums = data.series.map(({ name }, at) => [
    name,
    rowsOf(data, at).reduce((sum, [, s, kw]) => sum + (s * kw) / 3600, 0),
  ]);
  return Object.fromEntries(sums.map(([name, kwh]) => [name, Math.round(Number(kwh) * 1000) / 1000])) as Record<
    string,
    number
  >;
};

describe("an export of which some values are negative", () => {
  const cells = [0.5, -0.001, 2, 3.5];

  test("is made negative as a whole, where lines name it", () => {
    const text = file(
      "Start;Meter;kWh",
      ...minutes(8, (at) => (at % 2 === 0 ? `Export;${cells[at / 2] ?? 0}` : "House;1")),
    );
    const data = read(text);
    expect(energies(data)).toEqual({ Export: -5.999, House: 4 });
    expect(data.notes.map(({ message }) => message)).toContain(
      "Export is energy into the grid by its name, so it is negative",
    );
  });

  test("is made negative as a whole, where a column has it", () => {
    const text = file("Start;Export (kWh);Usage (kWh)", ...minutes(4, (at) => `${cells[at] ?? 0};1`));
    expect(energies(read(text))).toEqual({ Export: -5.999, Usage: 4 });
  });

  test("is made negative although nothing but its standby comes before the first sun", () => {
    const text = file(
      "Start;Export (kWh);Usage (kWh)",
      ...minutes(1440, (at) => `${at < 600 ? "-0.001" : "0.5"};${1 + (at % 3)}`),
    );
    expect(energies(read(text))["Export"]).toBe(-419.4);
  });

  test("stays as it is once the whole of it is negative, which is said", () => {
    const said = "is energy into the grid by its name, and its values are negative already, so they stay as they are";
    const named = read(
      file("Start;Meter;kWh", ...minutes(8, (at) => (at % 2 === 0 ? `Export;${at === 0 ? 1 : -2}` : "House;1"))),
    );
    expect(energies(named)).toEqual({ Export: -5, House: 4 });
    expect(named.notes.map(({ message }) => message)).toContain(`Export ${said}`);
    const wide = read(file("Start;Export (kWh);Usage (kWh)", ...minutes(4, (at) => `${at === 0 ? 1 : -2};1`)));
    expect(energies(wide)).toEqual({ Export: -5, Usage: 4 });
    expect(wide.table?.reasons).toContain(`"Export (kWh)" ${said}`);
  });

  test("is never load if its sum is not 0, in lines or in a column", () => {
    const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 4, maxLength: 40 });
    fc.assert(
      fc.property(values, (all) => {
        const sum = all.reduce((total, value) => total + value, 0);
        fc.pre(sum !== 0);
        const cell = (at: number) => String((all[at] ?? 0) / 10);
        const mapping = { values: [{ kind: "energy" }] } as const;
        const wide = read(
          file("Start;Export (kWh);Usage (kWh)", ...minutes(all.length, (at) => `${cell(at)};${1 + (at % 3)}.5`)),
          mapping,
        );
        const pairs = minutes(all.length, (at) => `Export;${cell(at)}`).flatMap((line, at) => [
          line,
          line.replace(/Export;.*/, `House;${1 + (at % 3)}.5`),
        ]);
        for (const data of [wide, read(file("Start;Meter;kWh", ...pairs), mapping)])
          expect(energies(data)["Export"]).toBeCloseTo(-Math.abs(sum) / 10, 2);
      }),
      { numRuns: propertyRuns(25) },
    );
  });
});

const parts = (first: string, second: string, sign = 1): string =>
  file(
    `Start;${first} (kWh)`,
    ...minutes(4, (at) => String(1 + (at % 2))),
    `Start;${second} (kWh)`,
    ...minutes(4, (at) => String(sign * (2 + (at % 2))), "2026-06-14T00:00Z"),
  );

describe("a part of a file with another header", () => {
  test.each([
    ["Einspeisung", "Bezug", { Einspeisung: -6, Bezug: 10 }],
    ["Bezug", "Einspeisung", { Bezug: 6, Einspeisung: -10 }],
    ["Einspeisung", "Lieferung", { Einspeisung: -6, Lieferung: -10 }],
  ])("has the sign by its own name: %s, then %s", (first, second, expected) => {
    expect(energies(read(parts(first, second)))).toEqual(expected);
  });

  test("stays negative if it is already", () => {
    expect(energies(read(parts("Bezug", "Einspeisung", -1)))).toEqual({ Bezug: 6, Einspeisung: -10 });
  });

  test("has the sign that is stated, whatever its name says", () => {
    const values = [{ column: 2, sign: "load" }] as const;
    expect(energies(read(parts("Bezug", "Einspeisung"), { values }))).toEqual({ Bezug: 6, Einspeisung: 10 });
  });

  test("is asked if its name says both", () => {
    expect(doubtsOf(read(parts("Bezug", "Eigenverbrauch PV")))).toEqual([["values[].sign", 2]]);
  });
});

const metered = (other: string, value: (at: number) => number) =>
  file("Start;Meter;kWh", ...minutes(12, (at) => (at % 2 === 0 ? `${other};${value(at)}` : `House;${1 + (at % 3)}`)));

describe("series that lines name", () => {
  test("are asked once for a column if their names say both, and read as the answer says", () => {
    const both = metered("Eigenverbrauch PV", (at) => 1 + (at % 4));
    const open = read(both);
    expect(faultsOf(open)).toEqual([
      '2: Are the values of the series "Eigenverbrauch PV" consumption or production? Its name says both. The answer is about each series of column 3: if others are of the other direction, change this name in the file instead. State it with mapping {"values":[{"sign":"load"}]} (consumption, or energy from the grid) or {"values":[{"sign":"export"}]} (production, or energy into the grid)',
    ]);
    expect(doubtsOf(read(both.replaceAll("House", "PV use")))).toEqual([["values[].sign", 3]]);
    expect(energies(read(both, { values: [{ sign: "load" }] }))).toEqual({ "Eigenverbrauch PV": 12, House: 12 });
    expect(energies(read(both, { values: [{ sign: "export" }] }))["Eigenverbrauch PV"]).toBe(-12);
  });

  test.each([
    ["negative already", -1],
    ["zeros", 0],
  ])("are not asked if their values are %s", (_what, value) => {
    expect(energies(read(metered("Eigenverbrauch PV", () => value)))["Eigenverbrauch PV"]).toBe(6 * value);
  });
});
