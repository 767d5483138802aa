import pg from "pg";
import { isRefusal } from "../refusal.js";
import { within } from "../within.js";

/** A pool, or one connection of it inside a transaction. */
export type Queryable = Pick<pg.Pool, "query">;

export type ConnectionSettings =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

// Sequence numbers and counts stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Opens the pool. No wait is endless: a request answers 500 within 5 s when no connection is to be had, and before its
 * socket is cut for idleness (15 s) when the database does not answer.
 */
export const openPool = (
  connection: ConnectionSettings,
  onError: (error: Error) => void,
  { max = 16, name = SERVING }: PoolOptions = {},
): pg.Pool => watched(new pg.Pool({ ...connection, ...limits, max, application_name: name }), onError);

interface PoolOptions {
  readonly max?: number;
  /** What the database calls its connections. */
  readonly name?: string;
}

/** Connections of a process that serves. */
export const SERVING = "curtail";
/** Connections of a process that brings the schema up to date first. */
export const STARTING = "curtail start";

const limits = {
  connectionTimeoutMillis: 4000,
  statement_timeout: 10_000,
  query_timeout: 12_000,
  idle_in_transaction_session_timeout: 30_000,
  keepAlive: true,
} as const;

/** Few: the sandbox must not take the connections that production needs. */
const SANDBOX_CONNECTIONS = 6;
/** Claiming, making and recording deliveries, and one more for mails: none waits behind uploads and polls. */
const QUEUE_CONNECTIONS = 4;

/**
 * The tables of queues grow a thousandfold within a second: a plan kept from before took 56 s for a claim that takes
 * 34 ms.
 */
const ANEW = "set plan_cache_mode = force_custom_plan";

/** A pool beside `pool` whose connections see the sandbox's tables and no others. */
export const openSandboxPool = (pool: pg.Pool, onError: (error: Error) => void): pg.Pool =>
  openBeside(pool, { max: SANDBOX_CONNECTIONS, first: `set search_path = sandbox; ${ANEW}` }, onError);

/** A pool beside `pool` for queues, and for VENs: their polls come together, and are planned together. */
export const openQueuePool = (pool: pg.Pool, onError: (error: Error) => void): pg.Pool =>
  openBeside(pool, { max: QUEUE_CONNECTIONS, first: ANEW }, onError);

interface Beside {
  readonly max: number;
  /** Said on each connection before anything else: poolers between us and the database refuse start parameters. */
  readonly first: string;
}

const openBeside = ({ options }: pg.Pool, { max, first }: Beside, onError: (error: Error) => void): pg.Pool =>
  watched(new pg.Pool({ ...options, max, onConnect: (client) => client.query(first) as unknown as void }), onError);

const openConnections = new WeakMap<pg.Pool, Set<pg.PoolClient>>();

const watched = (pool: pg.Pool, onError: (error: Error) => void): pg.Pool => {
  const open = new Set<pg.PoolClient>();
  openConnections.set(pool, open);
  pool.on("connect", (client) => {
    open.add(client);
    client.once("end", () => open.delete(client));
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on("error", onError);
  // So would one that breaks while a transaction holds it. There the next query fails and its caller gets the error.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
};

/** The database has closed what it was asked to close by then, unless it does not respond. */
const CLOSE_MS = 2000;

/** Ends the pool, and waits until its connections are closed: a database that stops before logs each one that it breaks. */
export const closePool = async (pool: pg.Pool): Promise<void> => {
  const open = [...(openConnections.get(pool) ?? [])];
  const closed = Promise.all(open.map((client) => new Promise((resolve) => client.once("end", resolve))));
  await pool.end();
  await within(closed, CLOSE_MS, () => []);
};

/** Runs `work` in a transaction of a connection of its own; what it may refuse is in the type of its answer. */
export const inTransaction = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let isWhole = false;
  try {
    const result = await transaction(client, () => work(client));
    isWhole = true;
    return result;
  } finally {
    client.release(!isWhole);
  }
};

/**
 * Commits what `work` does over the client; rolls back when it answers a refusal. When it throws, the connection is to
 * be closed, not returned to the pool: the database then rolls back by itself in any state of the connection.
 */
export const transaction = async <T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> => {
  await client.query("begin");
  const result = await work();
  await client.query(isRefusal(result) ? "rollback" : "commit");
  return result;
};

/** A part of a transaction that is rolled back by itself when it answers a refusal. */
export const savepoint = async <T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> => {
  await client.query("savepoint part");
  const result = await work();
  await client.query(isRefusal(result) ? "rollback to savepoint part" : "release savepoint part");
  return result;
};
