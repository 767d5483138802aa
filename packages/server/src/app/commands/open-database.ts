import { closeToOthers, SERVICE_ROLE, startEmbedded } from "@curtail/embedded-postgres";
import type pg from "pg";
import { type ConnectionSettings, closePool, openPool, STARTING } from "../../platform/database/database.js";
import { checkDatabase } from "../../platform/database/database-check.js";
import { adoptJournal } from "../../platform/database/journal-upkeep.js";
import { markBreaking, migrate } from "../../platform/database/migrate.js";
import { refuseTransactionPooler } from "../../platform/database/pooler.js";
import { NONE } from "../../platform/runtime/setting-types.js";
import { isLogging } from "../../telemetry/domain/fold-after.js";
import { logBroken } from "../basis.js";
import { withStoreSettings } from "../store-settings.js";
import type { RunningCommand } from "./run-until-stopped.js";

interface Database {
  /** Connects as the schema's owner. */
  readonly owner: ConnectionSettings;
  readonly service: ConnectionSettings;
  /** The role the service connects as, if it is not the owner. */
  readonly serviceRole: string | null;
}

/** A pool for the configured database, with its schema migrated to this build. */
export const openDatabase = async (opening: RunningCommand): Promise<pg.Pool> => {
  const { service } = await prepareDatabase(opening);
  const { databaseConnections: max } = opening.config;
  const pool = openPool(service, logBroken(opening.logger), { max, direct: directOf(opening) });
  opening.running.onStop(() => closePool(pool));
  return pool;
};

/** The migration of the log of readings as it is. */
const FIRST_WITH_LOG = 165;

/** Checks the configured or embedded database and migrates its schema to this build. */
export const prepareDatabase = async (opening: RunningCommand & { readonly grantTo?: string }): Promise<Database> => {
  const { config, logger, grantTo } = opening;
  await closeToOthers(config.dataDir, logger);
  const given = config.databaseUrl === null ? null : { connectionString: config.databaseUrl };
  const database = given === null ? await ownDatabase(opening) : { owner: given, service: given, serviceRole: null };
  const direct = directOf(opening);
  const pool = openPool(database.owner, logBroken(logger), { max: 1, name: STARTING, direct });
  try {
    await checkDatabase(pool);
    if (given !== null && direct === null) await refuseTransactionPooler(pool.options);
    const { applied, newer } = await migrate(pool, { serviceRole: grantTo ?? database.serviceRole });
    if (applied.length > 0) logger.info({ migrations: applied }, "the schema was upgraded");
    if (newer.length > 0) logger.warn({ migrations: newer }, "the schema is newer than this version, but compatible");
    if (isLogging((await withStoreSettings(config, pool)).foldAfter)) await markBreaking(pool, FIRST_WITH_LOG);
    if (await adoptJournal(pool))
      logger.info("the database is from another cluster: the journal is read on from where it was");
  } finally {
    await closePool(pool);
  }
  return database;
};

const directOf = ({ config: { databaseListenUrl: url } }: RunningCommand): ConnectionSettings | null =>
  url === null || url === NONE ? null : { connectionString: url };

const ownDatabase = async (opening: RunningCommand): Promise<Database> => {
  const { connection, serviceConnection } = await startOwn(opening);
  return { owner: connection, service: serviceConnection, serviceRole: SERVICE_ROLE };
};

/** The PostgreSQL of the data directory, until the process stops. */
export const startOwn = ({ config, logger, running }: RunningCommand): ReturnType<typeof startEmbedded> => {
  const { dataDir, postgresPrograms: programs } = config;
  const starting = startEmbedded({ dataDir, programs, log: logger, atOnce: running.atOnce });
  // A failed start leaves nothing running, and reports the reason itself.
  running.onStopAlways(() =>
    starting.then(
      (embedded) => embedded.stop(),
      () => undefined,
    ),
  );
  return starting;
};
