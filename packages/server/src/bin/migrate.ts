import { buildLogger } from "../runtime/logger.js";
import { configOrExit, openDatabase } from "./serve.js";

/** `curtail migrate`: brings the schema up to this build and ends. */
export const migrateOnly = async (): Promise<void> => {
  const config = configOrExit();
  const stops: Array<() => Promise<void>> = [];
  try {
    await openDatabase(config, buildLogger(config.logLevel), stops);
    process.stdout.write("the schema is up to date\n");
  } finally {
    for (const stop of stops) await stop();
  }
};
