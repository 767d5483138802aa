import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVICE_ROLE, startEmbedded } from "@curtail/embedded-postgres";
import type pg from "pg";
import { onTestFinished } from "vitest";
import { wireService } from "../../src/app/wire.js";
import { openPool } from "../../src/platform/database/database.js";
import { migrate } from "../../src/platform/database/migrate.js";
import { readConfig } from "../../src/platform/runtime/config.js";
import { buildLogger } from "../../src/platform/runtime/logger.js";

/** What a start does once is over after this. */
const STARTED_MS = 5000;

/** A database that names each statement that it carries out. */
const namingDatabase = async (dataDir: string, noted: (statement: string) => void) => {
  const note = (_: object, message: string): void => {
    const named = /^(?:execute ([^:]+): |statement: )(.*)$/.exec(message);
    if (named !== null) noted(named[1] === undefined || named[1] === "<unnamed>" ? (named[2] ?? "") : named[1]);
  };
  const log = { info: note, warn: () => {}, error: () => {} };
  const embedded = await startEmbedded({ dataDir, log, settings: { log_statement: "all" } });
  onTestFinished(() => embedded.stop());
  const owner = openPool(embedded.connection, () => {});
  await migrate(owner, { serviceRole: SERVICE_ROLE });
  await owner.end();
  const pool = openPool({ ...embedded.connection, user: SERVICE_ROLE }, () => {});
  onTestFinished(() => pool.end());
  return pool;
};

/** A VEN that dispatches are pushed to. */
const addPushedVen = async (pool: pg.Pool): Promise<void> => {
  await pool.query("insert into accounts (id, name, disabled, created_at) values ('acc_1', 'One', false, now())");
  await pool.query(
    `insert into vens (id, account_id, ven_id, environment, push_url, target_resource, target_ven_id,
       market_context, poll_interval_seconds, created_at)
     values ('ven_1', 'acc_1', 'store-1', 'production', 'https://ven.example/', 'site_id', true,
       'program', 10, now())`,
  );
};

/** A folder that is removed after the test. */
export const idleFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-idle-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** Statements a second of a process with all roles that has nothing to do, counted for a while and printed. */
export const idleStatementsASecond = async (
  folder: string,
  countedMs: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<number> => {
  const statements = new Map<string, number>();
  const pool = await namingDatabase(join(folder, "database"), (statement) =>
    statements.set(statement, (statements.get(statement) ?? 0) + 1),
  );
  await addPushedVen(pool);
  const own = { CURTAIL_OPERATOR_TOKEN: "token-of-this-test-alone", CURTAIL_DATA_DIR: folder };
  const read = readConfig({ ...own, ...settings });
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  const service = await wireService({ config: read.config, pool, logger: buildLogger("silent") });
  onTestFinished(() => service.close());
  await service.app.listen({ host: "127.0.0.1", port: 0 });
  await service.vtn.listen("127.0.0.1", 0);
  await sleep(STARTED_MS);
  statements.clear();
  await sleep(countedMs);
  const counted = [...statements].toSorted(([, a], [, b]) => b - a);
  const aSecond = (counted.reduce((total, [, count]) => total + count, 0) * 1000) / countedMs;
  const lines = counted.map(([name, count]) => `  ${count} ${name.slice(0, 100)}\n`);
  process.stdout.write(`${aSecond.toFixed(1)} statements a second while idle\n${lines.join("")}`);
  return aSecond;
};
