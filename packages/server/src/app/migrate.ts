import { buildLogger } from "../platform/runtime/logger.js";
import { prepareDatabase } from "./open-database.js";
import { configOrExit, runUntilStopped } from "./run-until-stopped.js";

interface Options {
  readonly grantTo?: string;
}

/**
 * `curtail migrate`: migrates the schema to this build, grants a role the rights of the service if requested, and
 * exits.
 */
export const migrateOnly = async (options: Options): Promise<void> => {
  const config = configOrExit();
  const logger = buildLogger(config.logLevel);
  await runUntilStopped({
    logger,
    failure: "the migration failed",
    isOnce: true,
    async start(running) {
      await prepareDatabase({ config, logger, running, ...options });
      process.stdout.write("the schema is up to date\n");
    },
  });
};
