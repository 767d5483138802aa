import { CELLS_PER_HOUR, type HourRow, runsOf } from "@curtail/measure";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeStretches } from "../../../src/telemetry/storage/telemetry-encoding.js";
import { telemetryReader } from "../../../src/telemetry/storage/telemetry-reader.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

let database: TestDatabase;
let oid: number;

beforeAll(async () => {
  database = await cloneDatabase();
  const { rows } = await database.pool.query<{ oid: number }>("select 'telemetry_hour'::regtype::oid as oid");
  oid = rows[0]?.oid ?? 0;
});
afterAll(() => database.drop());

const HOUR = 494_000;
let meter = 0;

const hour = (filled: Readonly<Record<number, number>> = {}): Float64Array => {
  const cells = new Float64Array(CELLS_PER_HOUR).fill(Number.NaN);
  for (const [place, kw] of Object.entries(filled)) cells[Number(place)] = kw;
  return cells;
};

/** Writes an array as PostgreSQL's text and reads it as the service does. */
const readBack = async (kw: string): Promise<Float64Array | undefined> => {
  meter += 1;
  await database.pool.query("insert into telemetry_hours values (1, $1, $2, $3::float8[])", [meter, HOUR, kw]);
  const [row] = await telemetryReader(database.pool).rows([{ site: 1, meter }], HOUR, HOUR);
  return row?.cells;
};

describe("an hour that is read", () => {
  test.each([
    ["begins at its first cell unless bounds say else", "{1.5,2,3}", hour({ 0: 1.5, 1: 2, 2: 3 })],
    ["begins where its bounds say", "[5:6]={1.5,2}", hour({ 4: 1.5, 5: 2 })],
    ["reaches to its last cell", "[120:120]={7}", hour({ 119: 7 })],
    ["has gaps where nulls are", "[2:5]={1,NULL,NULL,4}", hour({ 1: 1, 4: 4 })],
    ["may begin and end with a gap", "{NULL,2,NULL}", hour({ 1: 2 })],
    ["holds negative numbers", "[3:4]={-0.5,-250.25}", hour({ 2: -0.5, 3: -250.25 })],
    [
      "holds numbers of any exponent",
      "{1e-07,-1.5e+06,5e-324,-1e+300}",
      hour({ 0: 1e-7, 1: -1.5e6, 2: 5e-324, 3: -1e300 }),
    ],
    ["tells zero from a gap", "{0,NULL,-0}", hour({ 0: 0, 2: -0 })],
    [
      "is full with 120 cells",
      `{${Array.from({ length: 120 }, (_, i) => i / 3).join(",")}}`,
      Float64Array.from({ length: 120 }, (_, i) => i / 3),
    ],
  ])("%s", async (_, written, expected) => {
    expect(await readBack(written)).toEqual(expected);
  });
});

const sent = async (rows: readonly HourRow[]) => {
  const stretches = rows.flatMap((row) => runsOf(row.cells).map((run) => ({ row, run })));
  const answer = await database.pool.query<{ site: number; meter: number; hour: number; kw: string }>(
    "select site, meter, hour, kw::text as kw from unnest($1::telemetry_hour[])",
    [encodeStretches(stretches, oid)],
  );
  return answer.rows;
};

describe("hour rows on their way into the database", () => {
  test("keep their key", async () => {
    const rows = await sent([{ site: 2_147_483_647, meter: 1, hour: -5, cells: hour({ 3: 1 }) }]);
    expect(rows).toEqual([{ site: 2_147_483_647, meter: 1, hour: -5, kw: "[4:4]={1}" }]);
  });

  test("come as one record for each stretch", async () => {
    const rows = await sent([{ site: 1, meter: 1, hour: 1, cells: hour({ 0: 1, 1: 2, 7: 3 }) }]);
    expect(rows.map((row) => row.kw)).toEqual(["{1,2}", "[8:8]={3}"]);
  });

  test("and back keep every bit of every power, whichever cells are filled", async () => {
    const kw = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: Number.NaN });
    const cells = fc.array(kw, { minLength: CELLS_PER_HOUR, maxLength: CELLS_PER_HOUR });
    await fc.assert(
      fc.asyncProperty(cells, async (values) => {
        const row = { site: 1, meter: 2, hour: 3, cells: Float64Array.from(values) };
        const back = hour();
        for (const { kw: stretch } of await sent([row])) {
          for (const [place, value] of (await readBack(stretch))?.entries() ?? []) {
            if (!Number.isNaN(value)) back[place] = value;
          }
        }
        expect(back).toEqual(row.cells);
      }),
      { numRuns: propertyRuns(8, { atMost: 60 }) },
    );
  });
});
