import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operator } from "@curtail/contract";
import { startEmbedded } from "@curtail/embedded-postgres";
import { atEnd } from "@curtail/testing/at-end";
import { expect, test } from "vitest";
import { restoreBackup } from "../../src/app/commands/restore-backup.js";
import { makeBackup } from "../../src/backup/storage/make-backup.js";
import { closePool, openPool } from "../../src/platform/database/database.js";
import { buildLogger } from "../../src/platform/runtime/logger.js";
import { previousCall } from "../support/both-versions.js";
import { cloneDatabase, type TestDatabase } from "../support/database.js";
import { type Running, running } from "../support/running.js";

const EARLIER = {
  CURTAIL_EARLIER_VERSIONS: "2020-12-30",
  // Each service here has a data directory of its own.
  CURTAIL_SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
};

interface Facility {
  readonly id: number;
  readonly name: string;
}

/** Names of the facilities by their numbers, as an account sees them. */
const facilitiesOf = async (url: string, key: string): Promise<Readonly<Record<number, string>>> => {
  const { body } = await previousCall(url, key)("GET", "/facilities");
  return Object.fromEntries((body.facilities as Facility[]).map(({ id, name }) => [id, name]));
};

/** As the removal of a demo does it: the interface removes no sites. */
const removeSite = async ({ pool }: Pick<TestDatabase, "pool">, id: string): Promise<void> => {
  await pool.query("delete from meters where site_id = $1", [id]);
  await pool.query("delete from sites where id = $1", [id]);
};

const newSite = ({ made }: Running, id: string, name: string) =>
  made(operator.createSite, { params: { id }, body: { name, meters: [{ name: "main" }] } });

/** The service over a database that was restored. */
const restored = async (database: TestDatabase, folder: string): Promise<Running> => {
  const file = join(folder, "numbers.backup");
  const asked = new AbortController().signal;
  await makeBackup({
    connection: database.connection,
    folder: { dataDir: folder, archive: folder, secretsKeys: null },
    recipients: [],
    path: file,
    version: "0.1.0",
    onProgress: () => {},
    asked,
  });
  const dataDir = join(folder, "restored");
  const logger = buildLogger("silent");
  await restoreBackup(dataDir, { file, identity: null, logger, onProgress: () => {}, asked });
  const embedded = await startEmbedded({ dataDir, log: logger });
  atEnd(() => embedded.stop());
  const pool = openPool(embedded.connection, () => {}, { max: 8 });
  const drop = async () => closePool(pool);
  return running(EARLIER, {
    database: { ...database, connection: embedded.connection, pool, servicePool: pool, drop },
  });
};

test("a number of the earlier version means the same site after a restart, a restore and a removed neighbour, and no other ever", async () => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-numbers-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const database = await cloneDatabase();
  const service = await running(EARLIER, { database });
  const anna = await service.newParticipant({ name: "Anna", sites: [["main"], ["main"], ["main"]] });
  const given = await facilitiesOf(service.url, anna.key);
  const numbers = Object.keys(given).map(Number);
  expect(Object.values(given).sort()).toEqual(["Anna, site 1", "Anna, site 2", "Anna, site 3"]);
  const numberOf = (name: string): number => numbers.find((number) => given[number] === name) ?? 0;
  await removeSite(database, anna.sites[0]?.id ?? "");
  const rest = Object.fromEntries(Object.entries(given).filter(([, name]) => name !== "Anna, site 1"));
  expect(await facilitiesOf(await service.another(), anna.key)).toEqual(rest);

  const later = await restored(database, folder);
  expect(await facilitiesOf(later.url, anna.key)).toEqual(rest);
  await removeSite(later.database, anna.sites[1]?.id ?? "");
  await newSite(later, anna.accountId, "New");
  for (const url of [later.url, await later.another()]) {
    const now = await facilitiesOf(url, anna.key);
    expect(Object.values(now).sort()).toEqual(["Anna, site 3", "New"]);
    expect(now[numberOf("Anna, site 3")]).toBe("Anna, site 3");
    expect(numbers.filter((number) => now[number] === "New")).toEqual([]);
  }
});
