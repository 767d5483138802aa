import { existsSync } from "node:fs";
import { join } from "node:path";
import { bad, type Check, reasonOf } from "@curtail/cli";
import { findRunningServer } from "@curtail/embedded-postgres";
import type pg from "pg";
import { type ConnectionSettings, openPool } from "../../../platform/database/database.js";
import type { Config } from "../../../platform/runtime/config.js";
import { within } from "../../../platform/within.js";

/** application_name of its connections: they are none of a serving process. */
const NAME = "curtail doctor";
const CONNECTIONS = 4;
/** Shorter than a look: what needs the database is then left out, and not waited for. */
const REACH_MS = 4500;

/** Reads in a transaction that can change nothing. Poolers in between get no setting that would outlast it. */
export type Read = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

/** The database of the settings, if it can be read, or a check that says why not. */
export interface Reached {
  readonly read: Read | null;
  readonly check: Check | null;
  readonly close: () => Promise<void>;
}

/** Starts nothing: an included database that does not run is not looked at. */
export const reachDatabase = async (config: Config): Promise<Reached> => {
  const connection = await connectionOf(config);
  if (connection === null) return { read: null, check: notRunning(config), close: async () => {} };
  const { read, close } = reader(connection);
  const check = await within(refusalOf(read), REACH_MS, () => unreached("it does not answer"));
  return { read: check === null ? read : null, check, close };
};

const connectionOf = async ({ databaseUrl, dataDir }: Config): Promise<ConnectionSettings | null> =>
  databaseUrl === null ? findRunningServer(dataDir) : { connectionString: databaseUrl };

const notRunning = ({ dataDir }: Config): Check =>
  existsSync(join(dataDir, "postgres", "PG_VERSION"))
    ? bad("database", `the included one in ${dataDir} does not run`, "start the service, and run the doctor meanwhile")
    : bad("database", `there is none in ${dataDir}`, "set CURTAIL_DATA_DIR or DATABASE_URL as for the service");

const refusalOf = async (read: Read): Promise<Check | null> => {
  try {
    await read((client) => client.query("select 1"));
    return null;
  } catch (error) {
    return unreached(error instanceof Error && error.message !== "" ? error.message : reasonOf(error));
  }
};

const unreached = (why: string): Check =>
  bad("database", why, "check DATABASE_URL, the server, its pg_hba.conf and the network");

const reader = (connection: ConnectionSettings): { readonly read: Read; readonly close: () => Promise<void> } => {
  const pool = openPool(connection, () => {}, { max: CONNECTIONS, name: NAME });
  return {
    async read(work) {
      const client = await pool.connect();
      let isWhole = false;
      try {
        await client.query("begin transaction read only");
        const result = await work(client);
        await client.query("rollback");
        isWhole = true;
        return result;
      } finally {
        client.release(!isWhole);
      }
    },
    close: () => pool.end(),
  };
};
