import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { advisoryLocks } from "../../platform/database/advisory-locks.js";
import { type Distribution, distribute } from "../../platform/database/distribute.js";
import { distributionFaults } from "../../platform/database/distribution-check.js";
import { patientClient } from "../../platform/database/migrate.js";
import { SHARDED_TABLES } from "../../platform/database/shard-statement.js";
import { foldAll } from "../../telemetry/operations/fold-log.js";
import { logStore } from "../../telemetry/storage/fold-store.js";
import { openDatabase } from "./open-database.js";
import { runOnce } from "./run-until-stopped.js";

interface Options {
  readonly shards?: string;
}

/** More would be thousands of tables on each node. */
const MOST_SHARDS = 1024;

/** `curtail distribute`: spreads readings over the workers of a Citus cluster, by site. */
export const distributeReadings = ({ shards }: Options): Promise<void> =>
  runOnce("the database was not distributed", async (opening) => {
    const count = shards === undefined ? null : shardsOf(shards);
    if (opening.config.databaseUrl === null)
      throw new Error("The included database has no workers. Set DATABASE_URL to the coordinator of a Citus cluster.");
    const pool = await openDatabase(opening);
    const faults = await distributionFaults(pool);
    if (faults.length > 0) throw new Error(`Nothing was distributed. ${faults.join(" ")}`);
    await emptyLog(pool);
    const client = await patientClient(pool);
    try {
      // A process of the service that starts meanwhile waits for it, and then finds the tables as they will be.
      await client.query("select pg_advisory_lock($1)", [advisoryLocks.migration]);
      process.stdout.write(reportOf(await distribute(client, count), count));
    } finally {
      await client.end();
    }
  });

/** A distributed database has no log of readings. */
const emptyLog = async (pool: pg.Pool): Promise<void> => {
  if (!(await foldAll(logStore(pool), { sleep })))
    throw new Error(
      "Nothing was distributed. The log of readings has some that cannot be folded yet: stop the service, end " +
        "transactions that are open, and run it again.",
    );
};

const shardsOf = (text: string): number => {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MOST_SHARDS) throw new Error(`Set --shards to a number from 1 to ${MOST_SHARDS}.`);
  return count;
};

/** What was done, in words. @param asked count of shards */
export const reportOf = ({ tables, shards, workers }: Distribution, asked: number | null): string => {
  const now = `readings are in ${shards} shards on ${workers} ${workers === 1 ? "worker" : "workers"}`;
  if (asked !== null && asked !== shards)
    throw new Error(
      `Change the number of shards with ${alterTo(asked)}, while the service is stopped: ${now} already.`,
    );
  if (tables.length === 0) return `nothing was changed: ${now}\n`;
  const local = tables.filter((table) => !SHARDED_TABLES.some((each) => each === table));
  const spread = tables.filter((table) => !local.includes(table));
  const done = [
    spread.length === 0 ? null : `distributed by site: ${spread.join(", ")}`,
    local.length === 0 ? null : `made known to Citus: ${local.join(", ")}`,
  ];
  return [...done.filter((line) => line !== null), now, ""].join("\n");
};

const alterTo = (shards: number): string =>
  `select alter_distributed_table('${SHARDED_TABLES[0]}', shard_count => ${shards}, cascade_to_colocated => true)`;
