import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVICE_ROLE, startEmbedded } from "@curtail/embedded-postgres";
import { freePort } from "@curtail/testing/free-port";
import { startBroker, withoutMosquitto } from "@curtail/testing/mosquitto";
import type pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { wireService } from "../../src/app/wire.js";
import { openPool } from "../../src/platform/database/database.js";
import { migrate } from "../../src/platform/database/migrate.js";
import { readConfig } from "../../src/platform/runtime/config.js";
import { buildLogger } from "../../src/platform/runtime/logger.js";

/** Loops that send a statement every four seconds may send one more in it. */
const IDLE_MS = 20_000;
/** Of a process with all roles. */
const MOST_A_SECOND = 4;

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

/** The settings of an outside broker. */
const withBroker = async (folder: string): Promise<Record<string, string>> => {
  const broker = await startBroker(folder, await freePort());
  onTestFinished(() => broker.stop());
  return { CURTAIL_OPENADR3_MQTT_URL: broker.url, CURTAIL_OPENADR3_MQTT_ACCESS: "broker" };
};

test.each([
  ["a process with all roles", false],
  ["one that also publishes to an outside broker", true],
])("%s that has nothing to do sends few statements", { timeout: 120_000 }, async (_, publishes) => {
  if (publishes && withoutMosquitto !== null) return;
  const folder = await mkdtemp(join(tmpdir(), "curtail-idle-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const statements = new Map<string, number>();
  const pool = await namingDatabase(join(folder, "database"), (statement) =>
    statements.set(statement, (statements.get(statement) ?? 0) + 1),
  );
  await addPushedVen(pool);
  const more = publishes ? await withBroker(folder) : {};
  const read = readConfig({ CURTAIL_OPERATOR_TOKEN: "token-of-this-test-alone", CURTAIL_DATA_DIR: folder, ...more });
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  const service = await wireService({ config: read.config, pool, logger: buildLogger("silent") });
  onTestFinished(() => service.close());
  await service.app.listen({ host: "127.0.0.1", port: 0 });
  await service.vtn.listen("127.0.0.1", 0);
  // What a start does once.
  await sleep(5000);
  statements.clear();
  await sleep(IDLE_MS);
  const counted = [...statements].toSorted(([, a], [, b]) => b - a);
  const sum = counted.reduce((total, [, count]) => total + count, 0);
  process.stdout.write(
    `${((sum * 1000) / IDLE_MS).toFixed(1)} statements a second while idle\n${counted.map(([name, count]) => `  ${count} ${name.slice(0, 100)}`).join("\n")}\n`,
  );
  expect(sum).toBeLessThanOrEqual((MOST_A_SECOND * IDLE_MS) / 1000);
});
