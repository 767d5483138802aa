import { buildLogger } from "../runtime/logger.js";
import { configOrExit, openDatabase, tellFailure } from "./serve.js";

/** `curtail migrate`: brings the schema up to this build and ends. */
export const migrateOnly = async (): Promise<void> => {
  const config = configOrExit();
  const logger = buildLogger(config.logLevel);
  const stops: Array<() => Promise<void>> = [];
  try {
    await openDatabase(config, logger, stops);
    process.stdout.write("the schema is up to date\n");
  } catch (error) {
    tellFailure(error, logger, "the migration failed");
  } finally {
    for (const stop of stops) await stop();
  }
};
