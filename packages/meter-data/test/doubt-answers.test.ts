import { describe, expect, test } from "vitest";
import type { MeterData, ReadOptions, StatedMapping } from "../src/index.js";
import { faultsOf, readFile } from "./support/read-file.js";

const rows = (header: string, line: (at: number) => string): string =>
  [
    header,
    ...Array.from(
      { length: 12 },
      (_, at) => `${new Date(Date.UTC(2026, 5, 1) + (at + 1) * 900_000).toISOString()}${line(at)}`,
    ),
  ].join("\n");

/** The first rises and falls; the second never falls. */
const line = (at: number): string => `,${(at * 7) % 5},${100 + at}`;

/** The mappings that the faults of a file suggest. */
const suggested = (data: MeterData): StatedMapping[] =>
  faultsOf(data).flatMap((fault) =>
    [...fault.matchAll(/(?:mapping|or) (\{.*?\}) \(/g)].map(([, text = ""]) => JSON.parse(text) as StatedMapping),
  );

const kindsOf = ({ table }: MeterData) => table?.mapping.values.map(({ column, kind }) => [column, kind]);

describe("the answer to a question about one of several columns", () => {
  test.for([
    "Zeit von,Import (kWh),Heat pump (kWh)",
    "interval_end,Import (kWh),Heat pump (kWh)",
    "timestamp,Import (kWh),Heat pump (kWh)",
  ])("is about that column alone below %s, and reads the others as before", (header) => {
    const text = rows(header, line);
    const open = readFile(text, {}, 4096);
    expect(open.table?.doubts).toMatchObject([{ member: "values[].kind", column: 3 }]);
    const answers = suggested(open);
    expect(answers.map(({ values }) => values)).toEqual([
      [{ column: 2 }, { column: 3, kind: "energy" }],
      [{ column: 2 }, { column: 3, kind: "cumulative" }],
    ]);
    for (const mapping of answers) {
      const read = readFile(text, { mapping }, 4096);
      expect(faultsOf(read)).toEqual([]);
      expect(kindsOf(read)).toEqual([
        [2, "energy"],
        [3, mapping.values?.[1]?.kind],
      ]);
      expect(read.table?.mapping.time.label).toBe(open.table?.mapping.time.label);
      const [before, after] = [open, read].map(({ series: [first] }) => first);
      expect(after?.intervals.startMs).toEqual(before?.intervals.startMs);
      expect(after?.intervals.powerKw).toEqual(before?.intervals.powerKw);
    }
  });

  test("keeps what is stated of the others", () => {
    const mapping = {
      values: [
        { column: 2, unit: "MWh" },
        { column: 3, unit: "kWh" },
      ],
    } as const;
    const options: ReadOptions = { mapping };
    expect(suggested(readFile(rows("Zeit von,Bezug,Haus", line), options, 4096))[0]?.values).toEqual([
      { column: 2, unit: "MWh" },
      { column: 3, unit: "kWh", kind: "energy" },
    ]);
  });

  test("is short below any number of columns", () => {
    const names = Array.from({ length: 400 }, (_, at) => `Strom ${at}`);
    const text = rows(
      `Zeit von,${names.join(",")}`,
      (each) => `,${names.map((_, at) => (at + each * 7) % 5).join(",")}`,
    );
    const values = names.map((_, at) => ({ column: at + 2 }));
    const faults = faultsOf(readFile(text, { mapping: { values } }, 65_536));
    expect(faults).toHaveLength(400);
    expect(Math.max(...faults.map(({ length }) => length))).toBeLessThan(600);
    expect(faults[1]).toMatch(
      /State it with mapping \{"values":\[\{"column":3,"unit":"Wh"\}\]\} \(Wh\) or .*, next to an element/,
    );
  });
});
