import { execFileSync } from "node:child_process";
import { appendFile, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { type KillableServer, postgresFolder, postgresUser, serverOf } from "./system-postgres.js";

/** Folder of the programs of a PostgreSQL that has Citus; null: `TEST_CITUS` does not name one. */
// oxlint-disable-next-line no-process-env -- vitest has no arguments of its own for its tests.
export const citusPrograms = (): string | null => process.env["TEST_CITUS"] ?? null;

/** A coordinator or worker. */
export interface CitusNode extends KillableServer {
  /** Host and port, as Citus names it. */
  readonly name: string;
  /** Runs a statement as superuser in the database of the cluster, over a connection of its own. */
  query<R extends pg.QueryResultRow>(statement: string): Promise<R[]>;
}

/** A cluster of which each node has an empty database with Citus. */
export interface CitusCluster {
  /** Of the database, at the coordinator. */
  readonly url: string;
  readonly coordinator: CitusNode;
  readonly workers: readonly CitusNode[];
  /** Starts another worker, without moving shards to it. */
  addWorker(): Promise<CitusNode>;
  remove(): Promise<void>;
}

const DATABASE = "curtail";
const USER = "operator";

/** As docs/scaling.md sets nodes, with connections in the open. */
const SETTINGS = `
shared_preload_libraries = 'citus'
wal_level = logical
max_connections = 200
max_prepared_transactions = 200
max_worker_processes = 32
citus.recover_2pc_interval = '1s'
citus.max_cached_conns_per_worker = 8
citus.node_conninfo = 'sslmode=disable'
citus.enable_statistics_collection = off
`;

/** A coordinator and workers on free ports. */
export const startCitus = async (bin: string, workers: number): Promise<CitusCluster> => {
  const folder = await postgresFolder();
  const coordinator = await newNode({ bin, folder, name: "coordinator" });
  const [host, port] = coordinator.name.split(":");
  await coordinator.query(`select citus_set_coordinator_host('${host}', ${port})`);
  const all: CitusNode[] = [];
  const addWorker = async (): Promise<CitusNode> => {
    const worker = await newNode({ bin, folder, name: `worker-${all.length + 1}` });
    const [workerHost, workerPort] = worker.name.split(":");
    await coordinator.query(`select citus_add_node('${workerHost}', ${workerPort})`);
    all.push(worker);
    return worker;
  };
  for (let count = 0; count < workers; count++) await addWorker();
  return {
    url: coordinator.url,
    coordinator,
    workers: all,
    addWorker,
    async remove() {
      for (const node of [...all, coordinator]) await node.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

interface NewNode {
  readonly bin: string;
  readonly folder: string;
  readonly name: string;
}

const newNode = async ({ bin, folder, name }: NewNode): Promise<CitusNode> => {
  const data = join(folder, name);
  const options = { cwd: folder, stdio: "ignore", ...postgresUser() } as const;
  execFileSync(
    join(bin, "initdb"),
    ["-D", data, "-U", USER, "-E", "UTF8", "--locale=C.UTF-8", "--auth=trust"],
    options,
  );
  await appendFile(join(data, "postgresql.conf"), SETTINGS);
  const server = await serverOf({ bin, folder, data });
  await server.start();
  const { host } = new URL(server.url);
  await queryAt(`postgresql://${USER}@${host}/postgres`, `create database ${DATABASE}`);
  const url = `postgresql://${USER}@${host}/${DATABASE}`;
  await queryAt(url, "create extension citus");
  return { ...server, url, name: host, query: (statement) => queryAt(url, statement) };
};

const queryAt = async <R extends pg.QueryResultRow>(url: string, statement: string): Promise<R[]> => {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<R>(statement)).rows;
  } finally {
    await client.end();
  }
};
