import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPool } from "../../../src/platform/database/database.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

/** The most bytes that a socket hands over in one turn of the event loop, and all of them. */
const watched = (stream: Socket): { most: number; all: number } => {
  const bytes = { most: 0, all: 0 };
  let ofTurn = 0;
  stream.on("data", ({ length }: Buffer) => {
    if (ofTurn === 0) setImmediate(() => (ofTurn = 0));
    ofTurn += length;
    bytes.all += length;
    bytes.most = Math.max(bytes.most, ofTurn);
  });
  return bytes;
};

test("an answer of megabytes is read in pieces, two at most in a turn of the event loop", async () => {
  const pool = openPool(database.connection, () => {}, { max: 1 });
  const client = await pool.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const bytes = watched(stream);
  const rows = "select n, repeat('x', 100) as text from generate_series(1, 60000) as n";
  const [many, one] = await Promise.all([client.query(rows), client.query("select 1 as one")]);
  expect([many.rows.length, many.rows.at(-1).n, one.rows]).toEqual([60_000, 60_000, [{ one: 1 }]]);
  client.release();
  await pool.end();
  expect(bytes.all).toBeGreaterThan(6_000_000);
  // One that is parsed, and one that the stream keeps until it is read on.
  expect(bytes.most).toBeLessThanOrEqual(2 * 65_536);
});

test("a connection that breaks amid its answer fails, and another one takes its place", async () => {
  const pool = openPool(database.connection, () => {}, { max: 1 });
  const client = await pool.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const asked = client.query("select repeat('x', 1000) from generate_series(1, 60000)");
  stream.once("data", () => stream.destroy(new Error("broken")));
  await expect(asked).rejects.toThrow();
  client.release(true);
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await pool.end();
});
