import { expect, test } from "vitest";
import { CsvReader } from "../src/csv.js";
import { FaultList } from "../src/fault-list.js";
import type { FormatReader } from "../src/format-reader.js";
import { GreenButtonReader } from "../src/green-button.js";
import { IntervalBudget } from "../src/interval-columns.js";
import { Nem12Reader } from "../src/nem12.js";

const STEP_MS = 30_000;
const START_MS = Date.parse("2026-06-01T00:00:00Z");

const csvLine = (index: number): string => `${new Date(START_MS + index * STEP_MS).toISOString()},1`;
const csv = (count: number): string =>
  ["timestamp,kW", ...Array.from({ length: count }, (_, at) => csvLine(at))].join("\n");

const espiReading = (index: number): string =>
  `<IntervalReading><timePeriod><start>${START_MS / 1000 + index * 900}</start></timePeriod><value>1</value></IntervalReading>`;
const greenButton = (count: number): string =>
  [
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry><content><IntervalBlock xmlns="http://naesb.org/espi">',
    ...Array.from({ length: count }, (_, index) => espiReading(index)),
    "</IntervalBlock></content></entry></feed>",
  ].join("\n");

const nem12Day = (index: number): string => `300,202606${String(index + 1).padStart(2, "0")},${"1,".repeat(48)}A,,,,`;
const nem12 = (days: number): string =>
  ["100,NEM12,202606011200,MDP1,RETAIL1", "200,NMI1234567,E1,1,E1,N1,METER1,kWh,30,"]
    .concat(
      Array.from({ length: days }, (_, index) => nem12Day(index)),
      "900",
    )
    .join("\n");

const readAll = (reader: FormatReader, text: string): void => {
  reader.add(text);
  Array.from(reader.finish());
};

test("a file may have a million intervals, and the next is refused at its line", () => {
  const budget = new IntervalBudget();
  for (let line = 2; line < 1_000_002; line++) budget.take(line);
  expect(() => budget.take(1_000_002)).toThrow(
    expect.objectContaining({
      line: 1_000_002,
      message: "the file has more than 1000000 intervals; split it into several files",
    }),
  );
});

test.for([
  [
    "CSV",
    csv,
    96,
    98,
    (budget: IntervalBudget) => new CsvReader(budget, new FaultList(), { zone: null, intervalSeconds: null }),
  ],
  ["Green Button", greenButton, 96, 98, (budget: IntervalBudget) => new GreenButtonReader(budget, new FaultList())],
  ["NEM12", nem12, 2, 5, (budget: IntervalBudget) => new Nem12Reader(budget, new FaultList(), 0)],
] as const)("every interval of %s counts", ([, text, most, line, reader]) => {
  expect(() => readAll(reader(new IntervalBudget(96)), text(most))).not.toThrow();
  expect(() => readAll(reader(new IntervalBudget(96)), text(most + 1))).toThrow(
    expect.objectContaining({ line, message: "the file has more than 96 intervals; split it into several files" }),
  );
});
