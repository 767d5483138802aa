import type pg from "pg";
import type { DatabaseNode, DistributedDatabase, NodeSettings } from "../database-nodes.js";
import type { Queryable } from "./database.js";
import { isDistributed } from "./shards.js";

/** The nodes, each of which is asked by the coordinator; null: the database is not distributed. */
export const distributedDatabase = async (db: Queryable): Promise<DistributedDatabase | null> => {
  if (!(await isDistributed(db))) return null;
  const nodes = await seenNodes(db);
  const { rows } = await db.query<{ cached: number }>(
    "select current_setting('citus.max_cached_conns_per_worker')::int as cached",
  );
  return { nodes, cachedConnections: rows[0]?.cached ?? 0 };
};

interface NodeRow extends Omit<DatabaseNode, "settings"> {
  readonly reached: boolean;
  /** JSON, or why it was not reached. */
  readonly answer: string;
}

/** A node that takes a connection and no more would hold up whoever asks. */
const ANSWER_MS = 3000;

/** One statement to each node. Fails if one is connected and does not answer. */
export const seenNodes = async (db: Queryable): Promise<readonly DatabaseNode[]> => {
  const { rows } = await db.query<NodeRow>({
    text: NODES,
    values: [SETTINGS],
    query_timeout: ANSWER_MS,
  } as pg.QueryConfig);
  return rows.map(({ reached, answer, ...node }) => ({
    ...node,
    settings: reached ? (JSON.parse(answer) as NodeSettings) : null,
  }));
};

const SETTINGS = `select json_build_object(
  'version', current_setting('server_version_num')::int, 'fsync', current_setting('fsync'),
  'commit', current_setting('synchronous_commit'), 'prepared', current_setting('max_prepared_transactions')::int,
  'recoverMs', (select setting::int from pg_settings where name = 'citus.recover_2pc_interval'),
  'log', current_setting('wal_level'))`;

const NODES = `
  select nodename || ':' || nodeport as name, groupid = 0 as "isCoordinator", success as reached, result as answer,
    (select count(*)::int from pg_dist_placement as placement join pg_dist_shard as shard on shard.shardid = placement.shardid
     where placement.groupid = node.groupid and logicalrelid = 'telemetry_hours'::regclass) as shards
  from (select set_config('citus.node_connection_timeout', '1500ms', true) as limit) as connecting,
    run_command_on_all_nodes(case when connecting.limit is not null then $1 end) as asked join pg_dist_node as node on node.nodeid = asked.nodeid
  order by node.groupid`;
