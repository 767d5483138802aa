import { readFile } from "node:fs/promises";
import type { LoadSeries } from "../../src/load-series.js";

// Worked examples with exact arithmetic; they are kept outside the repository.
export const fixtures = process.env["TEST_FIXTURES"];

export const NO_FIXTURES = "TEST_FIXTURES names no folder with vectors/baseline and vectors/performance";

export const TOLERANCE = 1e-5;

export const readJson = async <Vector>(path: string): Promise<Vector> =>
  JSON.parse(await readFile(`${fixtures}/vectors/${path}`, "utf8"));

/** Load by interval end, as a series; a second column of values becomes the second series. */
export const readSeries = async (path: string): Promise<readonly [LoadSeries, LoadSeries]> => {
  const text = await readFile(`${fixtures}/vectors/${path}`, "utf8");
  const rows = text
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
  return [seriesOf(rows, 2), seriesOf(rows, 3)];
};

const seriesOf = (rows: readonly (readonly string[])[], column: number): LoadSeries => {
  const intervalSeconds = Number(rows[0]?.[1]);
  const cellOf = (row: readonly string[] | undefined) => Date.parse(row?.[0] ?? "") / 1000 / intervalSeconds;
  const firstCell = cellOf(rows[0]);
  const values = new Float64Array(cellOf(rows.at(-1)) - firstCell + 1).fill(Number.NaN);
  // An empty field is a gap.
  for (const row of rows) values[cellOf(row) - firstCell] = Number(row[column] || Number.NaN);
  return { intervalSeconds, firstCell, values };
};
