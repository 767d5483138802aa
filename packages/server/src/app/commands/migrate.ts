import { prepareDatabase } from "./open-database.js";
import { runOnce } from "./run-until-stopped.js";

interface Options {
  readonly grantTo?: string;
}

/**
 * `curtail migrate`: migrates the schema to this build, grants a role the rights of the service if requested, and
 * exits.
 */
export const migrateOnly = (options: Options): Promise<void> =>
  runOnce("the migration failed", async (opening) => {
    await prepareDatabase({ ...opening, ...options });
    process.stdout.write("the schema is up to date\n");
  });
