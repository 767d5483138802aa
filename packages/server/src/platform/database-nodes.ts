import type { Condition } from "./alarm.js";

/** How a node of a distributed database is set for this role. */
export interface NodeSettings {
  /** As `server_version_num`. */
  readonly version: number;
  readonly fsync: string;
  /** `synchronous_commit`. */
  readonly commit: string;
  /** `max_prepared_transactions`. */
  readonly prepared: number;
  /** How often transactions in doubt are looked for. */
  readonly recoverMs: number;
  /** `wal_level`. */
  readonly log: string;
}

/** A coordinator or worker, as the coordinator reached it. */
export interface DatabaseNode {
  /** Host and port. */
  readonly name: string;
  readonly isCoordinator: boolean;
  /** Of hour rows. */
  readonly shards: number;
  /** null: it cannot be reached. */
  readonly settings: NodeSettings | null;
}

/** A database whose readings are spread over nodes. */
export interface DistributedDatabase {
  readonly nodes: readonly DatabaseNode[];
  /** Connections to each worker that one connection to the coordinator keeps. */
  readonly cachedConnections: number;
}

const OLDEST_VERSION = 150_000;

/** What may lose data that was acknowledged with 200, by node. What cannot be reached is not known. */
export const nodeFaults = ({ name, settings }: DatabaseNode): readonly string[] => {
  if (settings === null) return [];
  const { version, fsync, commit, prepared } = settings;
  const faults = [
    version < OLDEST_VERSION ? "its version is older than PostgreSQL 15; upgrade it" : null,
    fsync === "off" ? "fsync is off; set fsync = on" : null,
    commit === "off" ? "synchronous_commit is off; set synchronous_commit = on for Curtail's user" : null,
    prepared === 0 ? "max_prepared_transactions is 0; set it to max_connections of the coordinator" : null,
  ];
  return faults.filter((fault) => fault !== null).map((fault) => `at ${name} ${fault}`);
};

/** Until a transaction in doubt is recovered, uploads of the same rows wait. */
const MOST_RECOVER_MS = 2000;

/** What makes a distributed database slow, or hard to run; with what to do. */
export const nodeAdvice = ({
  nodes,
  cachedConnections,
}: DistributedDatabase): ReadonlyArray<readonly [string, string]> => [
  ...nodes.flatMap(({ name, settings }) => (settings === null ? [] : adviceOf(name, settings))),
  ...missingConnections(nodes, cachedConnections),
];

const adviceOf = (name: string, { recoverMs, log }: NodeSettings): ReadonlyArray<readonly [string, string]> => {
  const found: Array<readonly [string, string]> = [];
  if (recoverMs < 0 || recoverMs > MOST_RECOVER_MS)
    found.push([
      `${name} looks for transactions in doubt ${recoverMs < 0 ? "never" : `every ${recoverMs / 1000} s`}`,
      "set citus.recover_2pc_interval = '1s'",
    ]);
  if (log !== "logical")
    found.push([`${name} has wal_level = ${log}: moving its shards blocks uploads`, "set wal_level = logical"]);
  return found;
};

const missingConnections = (
  nodes: readonly DatabaseNode[],
  cached: number,
): ReadonlyArray<readonly [string, string]> => {
  const most = Math.max(0, ...nodes.map(({ shards }) => shards));
  if (most <= cached) return [];
  return [
    [
      `uploads to ${most} shards of a node open connections again: ${cached} are kept`,
      `set citus.max_cached_conns_per_worker = ${most} on the coordinator`,
    ],
  ];
};

/** The alarms about nodes that cannot be reached. */
export const nodeConditions = (nodes: readonly DatabaseNode[]): readonly Condition[] =>
  nodes
    .filter(({ settings }) => settings === null)
    .map(({ name, shards }) =>
      condition(
        `node ${name}`,
        `The database node ${name} cannot be reached: readings of the sites in its ${shards} shards are neither stored nor shown. ` +
          "Start it again, and check its machine and network.",
      ),
    );

const condition = (subject: string, message: string): Condition => ({
  kind: "database_node_away",
  subject,
  accountId: null,
  message,
});

/** One of them takes connections and does nothing more. */
export const UNANSWERED = condition(
  "nodes",
  "A node of the database does not answer, although it takes connections: readings of the sites in its shards are neither stored nor shown. " +
    "Find it by asking each node, and check its disk and its processes.",
);
