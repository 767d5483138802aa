import { type Queryable, SERVING } from "./database.js";

const MIN_VERSION = 150_000;

/** Refuses a database that is too old or that could lose data already acknowledged with 200. Its pool refuses standbys. */
export const checkDatabase = async (db: Queryable): Promise<void> => {
  const { rows } = await db.query<{
    version: number;
    fsync: string;
    commit: string;
    encoding: string;
  }>(
    `select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as commit, current_setting('server_encoding') as encoding`,
  );
  const database = rows[0];
  if (database === undefined) throw new Error("the database did not return its settings");
  const faults = [
    database.version < MIN_VERSION ? "its version is older than PostgreSQL 15; upgrade it" : null,
    database.fsync === "off" ? "fsync is off; set fsync = on" : null,
    database.commit === "off" ? "synchronous_commit is off; set synchronous_commit = on for Curtail's user" : null,
    database.encoding === "UTF8" ? null : `its encoding is ${database.encoding}; create it with encoding UTF8`,
  ].filter((fault) => fault !== null);
  if (faults.length > 0) throw new Error(`The database cannot be used: ${faults.join("; ")}.`);
};

/** Whether another process of the service was already connected. */
export const isServed = async (db: Queryable): Promise<boolean> => {
  const { rowCount } = await db.query(
    `select from pg_stat_activity
     where datname = current_database() and application_name = $1
       and pid <> pg_backend_pid()
       -- Hidden for sessions of other roles, which may be the service's.
       and (backend_start is null or
         backend_start < (select backend_start from pg_stat_activity where pid = pg_backend_pid()))
     limit 1`,
    [SERVING],
  );
  return rowCount !== 0;
};
