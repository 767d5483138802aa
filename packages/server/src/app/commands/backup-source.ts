import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findRunningServer } from "@curtail/embedded-postgres";
import type pg from "pg";
import { startOwn } from "./open-database.js";
import type { RunningCommand } from "./run-until-stopped.js";

/** A service that starts or stops is in neither state for a moment. */
const TRIES = 30;
const TRY_AGAIN_MS = 1000;

/**
 * Connects to the service's database as it is: to the one of `DATABASE_URL`, to the included one of the service that runs on
 * the data directory, or to the included one, started for this if nothing runs.
 */
export const backupSource = async (opening: RunningCommand): Promise<pg.ClientConfig> => {
  const { config, running } = opening;
  if (config.databaseUrl !== null) return { connectionString: config.databaseUrl };
  if (!existsSync(join(config.dataDir, "postgres", "PG_VERSION")))
    throw new Error(
      `There is no database in ${config.dataDir}. Set CURTAIL_DATA_DIR or DATABASE_URL as for the service.`,
    );
  for (let tried = 1; ; tried++) {
    const found = await findRunningServer(config.dataDir);
    if (found !== null) return { ...found };
    try {
      return { ...(await startOwn(opening)).connection };
    } catch (error) {
      if (tried === TRIES || running.asked.aborted) throw error;
      await sleep(TRY_AGAIN_MS);
    }
  }
};
