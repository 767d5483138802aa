import { buildLogger } from "../runtime/logger.js";
import { openDatabase } from "./open-database.js";
import { runUntilStopped } from "./run-until-stopped.js";
import { configOrExit } from "./serve.js";

/** `curtail migrate`: brings the schema up to this build and ends. */
export const migrateOnly = async (): Promise<void> => {
  const config = configOrExit();
  const logger = buildLogger(config.logLevel);
  await runUntilStopped({
    logger,
    failure: "the migration failed",
    isOnce: true,
    async start(running) {
      await openDatabase({ config, logger, running });
      process.stdout.write("the schema is up to date\n");
    },
  });
};
