import { createWriteStream } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { copyRows, type ReadingOrder, type ReadingSet } from "./readings.js";

/** Readings per second of `COPY` from a file, one row each, into a table keyed by meter and time: the stated floor. */
export const copyFloor = async (
  cluster: BenchCluster,
  database: BenchDatabase,
  set: ReadingSet,
  order: ReadingOrder,
) => {
  const file = join(cluster.folder, `floor-${set.meters}-${set.steps}.tsv`);
  await pipeline(Readable.from(chunks(copyRows(set, order))), createWriteStream(file));
  await chmod(file, 0o644);
  await database.pool.query(
    "create table floor (meter int4, ts timestamptz, seconds int2, kw float8, primary key (meter, ts))",
  );
  await database.pool.query("checkpoint");
  const started = performance.now();
  await database.pool.query(`copy floor from '${file}'`);
  const seconds = (performance.now() - started) / 1000;
  const { rows } = await database.pool.query<{ bytes: string }>("select pg_total_relation_size('floor') as bytes");
  const readings = set.meters * set.steps;
  return { perSecond: readings / seconds, bytesPerReading: Number(rows[0]?.bytes) / readings };
};

function* chunks(lines: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const line of lines) {
    chunk += line;
    if (chunk.length > 1_000_000) {
      yield chunk;
      chunk = "";
    }
  }
  yield chunk;
}
