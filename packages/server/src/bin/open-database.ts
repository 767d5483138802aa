import type pg from "pg";
import type { Config } from "../runtime/config.js";
import type { Logger } from "../runtime/logger.js";
import { openPool } from "../storage/database.js";
import { checkDatabase } from "../storage/database-check.js";
import { type EmbeddedPostgres, startEmbedded } from "../storage/embedded/start-embedded.js";
import { migrate } from "../storage/migrate.js";
import type { Running } from "./run-until-stopped.js";
import { tellBroken } from "./tell-broken.js";

export interface Opening {
  readonly config: Config;
  readonly logger: Logger;
  readonly running: Running;
}

/** The database of the settings, its schema brought up to this build: one given by address, else our own. */
export const openDatabase = async (opening: Opening): Promise<pg.Pool> => {
  const { config, logger, running } = opening;
  const connection =
    config.databaseUrl === null ? await ownDatabase(opening) : { connectionString: config.databaseUrl };
  const pool = openPool(connection, tellBroken(logger));
  running.onStop(() => pool.end());
  await checkDatabase(pool);
  const applied = await migrate(pool);
  if (applied.length > 0) logger.info({ migrations: applied }, "the schema was brought up to date");
  return pool;
};

const ownDatabase = async ({ config, logger, running }: Opening): Promise<EmbeddedPostgres["connection"]> => {
  const starting = startEmbedded({ dataDir: config.dataDir, log: logger, atOnce: running.atOnce });
  // A start that fails leaves nothing running, and says why itself.
  running.onStopAlways(() =>
    starting.then(
      (embedded) => embedded.stop(),
      () => undefined,
    ),
  );
  return (await starting).connection;
};
