import { bad, type Check, good, warning } from "@curtail/cli";
import { mostConnections } from "../../../platform/database/database.js";
import {
  type ConnectionUse,
  checkDatabase,
  connectionUse,
  type SeenDatabase,
  seenDatabase,
} from "../../../platform/database/database-check.js";
import { hasSchema, schemaOf } from "../../../platform/database/migrate.js";
import { readMigrations } from "../../../platform/database/migration.js";
import { distributedDatabase } from "../../../platform/database/node-state.js";
import { replicationState } from "../../../platform/database/replication-state.js";
import { type DistributedDatabase, nodeAdvice, nodeConditions } from "../../../platform/database-nodes.js";
import {
  archivingConditions,
  type ReplicationState,
  type StandbyLimits,
  standbyConditions,
} from "../../../platform/standbys.js";
import type { Read } from "./reading.js";

/** @param hasStandbys whether commits should wait for a standby */
export const settingsCheck = ({ version, fullPageWrites, commit }: SeenDatabase, hasStandbys: boolean): Check => {
  const name = "database";
  if (!fullPageWrites)
    return warning(
      name,
      `PostgreSQL ${version}; full_page_writes is off`,
      "set full_page_writes = on, unless its file system writes pages whole (ZFS)",
    );
  if (hasStandbys && commit === "local")
    return warning(
      name,
      `PostgreSQL ${version}; synchronous_commit is local, so that answered data may be lost in a failover`,
      "set synchronous_commit = on for Curtail's user",
    );
  return good(name, `PostgreSQL ${version}`);
};

/** @param missing names of migrations that this build has and the database has not */
export const schemaCheck = (missing: readonly string[], newer: readonly string[]): Check => {
  const [first] = missing;
  if (first !== undefined)
    return warning(
      "schema",
      `${missing.length} migrations are missing, from ${first} on`,
      "start this version: it migrates",
    );
  return newer.length > 0
    ? warning("schema", `newer than this version by ${newer.length}, but compatible`, "upgrade this installation, too")
    : good("schema", "that of this version");
};

/** @param perProcess the most that a process opens */
export const connectionsCheck = (
  { allowed, ofService, ofOthers, processes }: ConnectionUse,
  perProcess: number,
): Check => {
  const name = "connections";
  // One that does not run yet has to fit, too.
  const count = Math.max(processes, 1);
  const needed = count * perProcess;
  const detail =
    `${ofService} open of ${needed} that ${count === 1 ? "a process" : `${count} processes`} may open, ` +
    `${ofOthers} of others, ${allowed} allowed`;
  const advice = "raise max_connections of PostgreSQL, or lower CURTAIL_DATABASE_CONNECTIONS";
  if (needed > allowed) return bad(name, detail, advice);
  if (needed + ofOthers > allowed) return warning(name, detail, advice);
  return good(name, detail);
};

/** By the rules of the alarm. @param state null: this role may not see it */
export const standbyChecks = (state: ReplicationState | null, limits: StandbyLimits): readonly Check[] => {
  const name = "standbys";
  if (state === null)
    return [warning(name, "the role of the service cannot see the state of standbys", "grant pg_monitor to it")];
  const archive = archivingConditions(state).map(({ message }) => warning(name, message, "see docs/point-in-time.md"));
  const found = standbyConditions(state, limits).map(({ message }) => warning(name, message, "see docs/failover.md"));
  if (archive.length + found.length > 0) return [...found, ...archive];
  return state.standbys.length === 0 ? [] : [good(name, `${state.standbys.length}, within their limits`)];
};

/** By the rules of the alarm. @param database null: it is not distributed */
export const nodeChecks = (database: DistributedDatabase | null): readonly Check[] => {
  if (database === null) return [];
  const name = "nodes";
  const { nodes } = database;
  const away = nodeConditions(nodes).map(({ message }) => bad(name, message, "see docs/scaling.md"));
  const slow = nodeAdvice(database).map(([detail, advice]) => warning(name, detail, advice));
  if (away.length + slow.length > 0) return [...away, ...slow];
  const shards = nodes.reduce((sum, node) => sum + node.shards, 0);
  return [good(name, `readings are in ${shards} shards; all ${nodes.length} nodes answer`)];
};

/** How the database is set, and its schema. */
export const lookAtDatabase = (read: Read, hasStandbys: boolean): Promise<readonly Check[]> =>
  read(async (client) => {
    await checkDatabase(client);
    const seen = settingsCheck(await seenDatabase(client), hasStandbys);
    return [seen, await lookAtSchema(client)];
  });

const lookAtSchema = async (client: Parameters<typeof schemaOf>[0]): Promise<Check> => {
  if (!(await hasSchema(client)))
    return warning("schema", "there is none yet", "start the service, or run `curtail migrate`");
  try {
    const { missing, newer } = await schemaOf(client, await readMigrations());
    return schemaCheck(
      missing.map(({ name }) => name),
      newer,
    );
  } catch (error) {
    return bad(
      "schema",
      error instanceof Error ? error.message : String(error),
      "run the version of the other processes",
    );
  }
};

export const lookAtConnections = (read: Read, configured: number): Promise<readonly Check[]> =>
  read(async (client) => [connectionsCheck(await connectionUse(client), mostConnections(configured))]);

export const lookAtNodes = (read: Read): Promise<readonly Check[]> =>
  read(async (client) => nodeChecks(await distributedDatabase(client)));

export const lookAtStandbys = (read: Read, limits: StandbyLimits): Promise<readonly Check[]> =>
  read(async (client) => standbyChecks(await replicationState(client), limits));
