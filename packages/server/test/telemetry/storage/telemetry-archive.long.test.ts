import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MeterKey } from "@curtail/measure";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ArchiveFolder, archiveFolder } from "../../../src/platform/files/archive-folder.js";
import {
  APRIL,
  archiveAll,
  archived,
  archiving,
  bitsOf,
  clearEach,
  database,
  files,
  folder,
  MARCH,
  MAY,
  prepareEach,
  siteIds,
  stored,
  write,
  writer,
} from "../../support/archives-of-telemetry.js";
import { bareMeter, bareMeters, cellReadings } from "../../support/bare-meters.js";

beforeEach(prepareEach);

afterEach(clearEach);

/** Does something else after the file is written and before anything is deleted. */
const meanwhile = (work: () => Promise<void>): ArchiveFolder => {
  let isDone = false;
  return {
    async write(...file) {
      const written = await archiveFolder(folder).write(...file);
      if (!isDone) await work();
      isDone = true;
      return written;
    },
  };
};

test("a reading of another hour that arrives meanwhile stays, and goes to a file of its own", async () => {
  const key = await bareMeter(database);
  await write(key, APRIL, { 0: 1 });
  const before = await stored([key]);
  const work = archiving(meanwhile(() => write(key, APRIL, { 1000: 2 })));
  while ((await work.step()).readings === 0);
  expect(Object.values(await stored([key]))).toEqual([bitsOf(2)]);
  await archiveAll();
  expect(await files()).toEqual([expect.stringMatching(/-2\.parquet$/), expect.stringMatching(/site-\d+\.parquet$/)]);
  expect(Object.values(await archived()).toSorted()).toEqual([...Object.values(before), bitsOf(2)].toSorted());
  expect(await stored([key])).toEqual({});
});

test("a reading of the same hour that arrives meanwhile puts the month off; nothing is deleted", async () => {
  const key = await bareMeter(database);
  await write(key, APRIL, { 0: 1 });
  const work = archiving(meanwhile(() => write(key, APRIL, { 1: 2 })));
  // Finds the month, and tries to archive it.
  for (const _ of [1, 2]) expect(await work.step()).toMatchObject({ readings: 0, isDone: false });
  expect(await files()).toEqual([expect.stringMatching(/\.part$/)]);
  const both = await stored([key]);
  expect(Object.keys(both)).toHaveLength(2);
  await archiveAll();
  expect(await archived()).toEqual(both);
  expect(await files()).toEqual([expect.stringMatching(/^2025-04.site-\d+\.parquet$/)]);
});

test("what was written but not recorded, because the process was killed, is not written twice", async () => {
  const key = await bareMeter(database);
  await write(key, APRIL, { 0: 1, 1: 2 });
  const before = await stored([key]);
  const killed: ArchiveFolder = {
    async write(...file) {
      const written = await archiveFolder(folder).write(...file);
      const keep = async () => {
        await written.keep();
        throw new Error("killed");
      };
      return { ...written, keep };
    },
  };
  await expect(archiveAll(killed)).rejects.toThrow("killed");
  expect(await stored([key])).toEqual(before);
  expect(await archiveAll()).toBe(2);
  expect(await archived()).toEqual(before);
  expect(await files()).toHaveLength(1);
});

test("a file that is there is never written over", async () => {
  const key = await bareMeter(database);
  await write(key, APRIL, { 0: 1 });
  const [id] = await siteIds();
  const theirs = join(folder, "2025-04", `${id}.parquet`);
  await mkdir(join(folder, "2025-04"));
  await writeFile(theirs, "somebody's");
  await archiveAll();
  expect(await readFile(theirs, "utf8")).toBe("somebody's");
  expect(await files()).toHaveLength(2);
});

test("without a place for the file, nothing is deleted", async () => {
  const key = await bareMeter(database);
  await write(key, APRIL, { 0: 1 });
  const before = await stored([key]);
  await writeFile(join(folder, "taken"), "");
  await expect(archiveAll(archiveFolder(join(folder, "taken")))).rejects.toThrow(/ENOTDIR|EEXIST/);
  expect(await stored([key])).toEqual(before);
});

test("states of charge of a month are in files of their own, and leave with it", async () => {
  const [first, second] = (await bareMeters(database, 2)) as [MeterKey, MeterKey];
  const none = cellReadings(first, APRIL, {});
  await writer.write(cellReadings(first, APRIL, { 0: 10 }), cellReadings(first, APRIL, { 9: 500, 19: 510.5 }, 10));
  await writer.write(none, cellReadings(second, MARCH, { 5: 7 }));
  await writer.write(none, cellReadings(second, MAY, { 0: 8 }));
  expect(await archiveAll()).toBe(1 + 2 + 1);
  const [id] = await siteIds();
  expect(await files()).toEqual([
    `2025-04/${id}.parquet`,
    `charge/2025-03/${id}.parquet`,
    `charge/2025-04/${id}.parquet`,
  ]);
  const connection = await (await DuckDBInstance.create()).connect();
  const read = await connection.runAndReadAll(
    `select meter_id, interval_seconds, kwh from read_parquet('${folder}/charge/*/*.parquet') order by "timestamp"`,
  );
  connection.closeSync();
  expect(read.getRowsJS()).toEqual([
    [`${id}-2`, 30, 7],
    [`${id}-1`, 300, 500],
    [`${id}-1`, 300, 510.5],
  ]);
  const left = await database.pool.query("select hour / 24 as day, kwh from charge_hours");
  expect(left.rows).toEqual([{ day: MAY, kwh: [8] }]);
  expect(await archiveAll()).toBe(0);
});
