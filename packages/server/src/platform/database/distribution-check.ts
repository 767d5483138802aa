import { nodeFaults } from "../database-nodes.js";
import type { Queryable } from "./database.js";
import { isServed } from "./database-check.js";
import { seenNodes } from "./node-state.js";

/** Shards keep to the sites of one statement, and commits in doubt are recovered, as this version does it. */
const OLDEST_CITUS = [13, 2] as const;

/** What keeps a database from being distributed now, with what to do; empty: nothing. */
export const distributionFaults = async (db: Queryable): Promise<readonly string[]> => {
  const extension = await extensionFault(db);
  if (extension !== null) return [extension];
  const nodes = await seenNodes(db);
  const workers = nodes.filter(({ isCoordinator }) => !isCoordinator);
  const faults = [
    (await isServed(db)) ? "Stop every process of the service: tables are locked while their rows are copied." : null,
    nodes.length > workers.length ? null : `Register the coordinator: ${COORDINATOR}`,
    workers.length > 0 ? null : `Add a worker: ${WORKER}`,
    ...nodes.map(({ name, settings }) =>
      settings === null ? `Start the node ${name}, or check the network: it cannot be reached.` : null,
    ),
    ...nodes.flatMap(nodeFaults).map((fault) => `Correct a setting: ${fault}.`),
  ];
  return faults.filter((fault) => fault !== null);
};

const COORDINATOR = "select citus_set_coordinator_host('ADDRESS', PORT), with an address that workers reach.";
const WORKER = "select citus_add_node('ADDRESS', PORT).";

const extensionFault = async (db: Queryable): Promise<string | null> => {
  const { rows } = await db.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'citus'",
  );
  const version = rows[0]?.version;
  if (version === undefined)
    return "Add Citus to this database, on every node: shared_preload_libraries = 'citus', then `create extension citus`.";
  return isOlder(version)
    ? `Upgrade Citus on every node, and then run \`alter extension citus update\`: ${version} is older than ${OLDEST_CITUS.join(".")}.`
    : null;
};

/** `13.2-1`, as the extension names itself. */
export const isOlder = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(/[.-]/).map(Number);
  return major < OLDEST_CITUS[0] || (major === OLDEST_CITUS[0] && minor < OLDEST_CITUS[1]);
};
