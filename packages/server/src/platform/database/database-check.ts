import { isDatabaseAway } from "../database-away.js";
import { nodeFaults } from "../database-nodes.js";
import { type Queryable, READING_JOURNAL, SERVING } from "./database.js";
import { distributedDatabase } from "./node-state.js";

const MIN_VERSION = 150_000;

/**
 * Refuses a database that is too old or that could lose data already acknowledged with 200, and one with such a node. Its pool
 * refuses standbys.
 */
export const checkDatabase = async (db: Queryable): Promise<void> => {
  const faults = [...(await ownFaults(db)), ...(await faultsOfNodes(db))];
  if (faults.length > 0) throw new Error(`The database cannot be used: ${faults.join("; ")}.`);
};

/** A node that does not answer keeps no process from starting: an alarm says so. */
const faultsOfNodes = async (db: Queryable): Promise<readonly string[]> => {
  try {
    return ((await distributedDatabase(db))?.nodes ?? []).flatMap(nodeFaults);
  } catch (error) {
    if (isDatabaseAway(error)) return [];
    throw error;
  }
};

const ownFaults = async (db: Queryable): Promise<readonly string[]> => {
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
  ];
  return faults.filter((fault) => fault !== null);
};

/** What may lose data in a failure, and where it stands; the service starts all the same. */
export interface SeenDatabase {
  /** `15.4`. */
  readonly version: string;
  readonly fullPageWrites: boolean;
  /** `synchronous_commit` of this role. */
  readonly commit: string;
}

export const seenDatabase = async (db: Queryable): Promise<SeenDatabase> => {
  const { rows } = await db.query<SeenDatabase>(
    `select split_part(current_setting('server_version'), ' ', 1) as version,
       current_setting('full_page_writes') = 'on' as "fullPageWrites", current_setting('synchronous_commit') as commit`,
  );
  const [seen] = rows;
  if (seen === undefined) throw new Error("the database did not return its settings");
  return seen;
};

/** How many connections the server has, and of whom. */
export interface ConnectionUse {
  /** For roles that are no superusers. */
  readonly allowed: number;
  /** Of the service, to this database. */
  readonly ofService: number;
  /** Of everybody else, to any database. */
  readonly ofOthers: number;
  /** Running processes of the service. */
  readonly processes: number;
}

export const connectionUse = async (db: Queryable): Promise<ConnectionUse> => {
  const { rows } = await db.query<ConnectionUse>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true)::int, 0) as allowed,
       count(*) filter (where ours)::int as "ofService", count(*) filter (where not ours)::int as "ofOthers",
       count(*) filter (where ours and application_name = $1)::int as processes
     from (select application_name, coalesce(datname = current_database() and application_name like 'curtail%', false) as ours
       from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as open`,
    [READING_JOURNAL],
  );
  const [use] = rows;
  if (use === undefined) throw new Error("the database did not return its connections");
  return use;
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
