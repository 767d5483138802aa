import { callbackify } from "node:util";
import pg from "pg";
import { isRefusal } from "../refusal.js";
import { within } from "../within.js";
import { ended, JOURNAL_CHANNEL, tellCommits } from "./commits.js";
import { knownByConnections } from "./memory-of-pool.js";
import { COUNTS_CHANNEL } from "./notified-counts.js";
import { readRowsInTurns } from "./rows-in-turns.js";
import { refuseStandby } from "./standby.js";

/** A pool, or one connection of it inside a transaction. */
export type Queryable = Pick<pg.Pool, "query">;

export type ConnectionSettings =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

// Sequence numbers and counts stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Opens the pool. Every wait is limited: a request answers 500 within 5 s if no connection is available, and before its
 * socket times out (15 s) if the database does not respond. No connection leads to a standby; pools that are opened with the
 * options of this one inherit that.
 */
export const openPool = (
  connection: ConnectionSettings,
  onError: (error: Error) => void,
  { max = 16, name = SERVING, direct = null }: PoolOptions = {},
): pg.Pool => {
  const options = { ...connection, ...limits, ...pipelined, ...ofPrimary, max, application_name: name };
  const pool = watched(new pg.Pool({ ...options, onConnect: beginWith(LIMITS) }), onError);
  if (direct !== null) directOf.set(pool, direct);
  return tellCommits(pool);
};

/** Addresses without a pooler, by pool. */
const directOf = new WeakMap<pg.Pool, ConnectionSettings>();

/** How to connect for what needs a session of its own: settings that last, locks that are held, and `LISTEN`. */
export const sessionOptions = (pool: pg.Pool): pg.PoolOptions => ({ ...pool.options, ...directOf.get(pool) });

interface PoolOptions {
  readonly max?: number;
  /** application_name of its connections. */
  readonly name?: string;
  /** The same database without a pooler that hands out connections by transaction; null: there is none. */
  readonly direct?: ConnectionSettings | null;
}

/** Connections of a serving process. */
export const SERVING = "curtail";
/** Connections of a process that is still migrating the schema. */
export const STARTING = "curtail start";
/** The one connection of each process that reads the journal: as many of them as there are processes. */
export const READING_JOURNAL = "curtail journal";

const limits = {
  connectionTimeoutMillis: 4000,
  query_timeout: 12_000,
  keepAlive: true,
} as const;

/** Set by a statement: poolers in between refuse them as parameters of the startup. */
const LIMITS = "set statement_timeout = '10s'; set idle_in_transaction_session_timeout = '30s'";

/** Statements that a transaction makes together are sent together, and carried out in that order. */
const pipelined = { pipeline: true } as const;

/** The pool drops a new connection that leads to a standby. */
const ofPrimary = { verify: callbackify(refuseStandby) } as const;

/** Few, so that the sandbox does not take connections that production needs: 6 in addition to 16. */
const SANDBOX_SHARE = 3 / 8;
/** For claiming, sending and recording deliveries, and for emails, so that none waits behind uploads and polls: 4 in addition to 16. */
const QUEUE_SHARE = 1 / 4;

/** Queue tables grow a thousandfold within a second: with a plan cached before, a claim that takes 34 ms took 56 s. */
const ANEW = "set plan_cache_mode = force_custom_plan";

/** A second pool whose connections see only the sandbox's tables. */
export const openSandboxPool = (pool: pg.Pool, onError: (error: Error) => void): pg.Pool =>
  openBeside(pool, { share: SANDBOX_SHARE, first: `set search_path = sandbox; ${ANEW}` }, onError);

/**
 * A second pool for queues and for VENs, whose polls arrive together and are planned together.
 *
 * @param keeps how many of its connections stay open while nothing happens: the plans of a new one take ten times as long
 */
export const openQueuePool = (pool: pg.Pool, onError: (error: Error) => void, keeps = 0): pg.Pool =>
  openBeside(pool, { share: QUEUE_SHARE, first: ANEW, keeps }, onError);

/** For followers, as many as run at once: 3 in addition to 16. A process that stops in a transaction keeps its cursor for five seconds. */
const FOLLOWER_SHARE = 3 / 16;
const LET_GO = "set idle_in_transaction_session_timeout = '5s'";

export const openFollowerPool = (pool: pg.Pool, onError: (error: Error) => void): pg.Pool =>
  openBeside(pool, { share: FOLLOWER_SHARE, first: `${ANEW}; ${LET_GO}` }, onError);

/** However the tables grow: each time is the first of an index, and a plan is made once. */
const BY_INDEX =
  "set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off";

/** One connection, on which nothing waits: what is due is known as soon as the database answers. */
export const openTimetablePool = (pool: pg.Pool, onError: (error: Error) => void): pg.Pool =>
  openBeside(pool, { share: 1 / pool.options.max, first: BY_INDEX }, onError);

/** Who cannot read the journal in time asks the tables, and still answers 500 within 5 s if they cannot be read. */
const JOURNAL_MS = 500;

/** Planning takes longer than reading nothing, and a plan that was made while the journal was short stays good. */
const ONE_PLAN = "set plan_cache_mode = force_generic_plan; set enable_seqscan = off";

/** A connection of its own for reading the journal, so that polls never wait behind uploads; it is notified of commits. */
export const openJournalPool = (
  pool: pg.Pool,
  onError: (error: Error) => void,
  { listens = true }: { readonly listens?: boolean } = {},
): pg.Pool => {
  const limited = {
    ...sessionOptions(pool),
    application_name: READING_JOURNAL,
    max: 1,
    connectionTimeoutMillis: JOURNAL_MS,
    query_timeout: JOURNAL_MS,
  };
  const first = listens ? `listen ${JOURNAL_CHANNEL}; listen ${COUNTS_CHANNEL}; ${ONE_PLAN}` : ONE_PLAN;
  return watched(new pg.Pool({ ...limited, onConnect: beginWith(`${LIMITS}; ${first}`) }), onError);
};

/** How many pools `openQueuePool` opens in a process: of VENs, and of deliveries. */
const QUEUE_POOLS = 2;
/** Timetable, journal, `LISTEN`, and the lock of the daily backup. */
const SINGLE_CONNECTIONS = 4;

/** The most connections that a process opens if its requests have `max`. */
export const mostConnections = (max: number): number =>
  max +
  Math.ceil(max * SANDBOX_SHARE) +
  QUEUE_POOLS * Math.ceil(max * QUEUE_SHARE) +
  Math.ceil(max * FOLLOWER_SHARE) +
  SINGLE_CONNECTIONS;

interface Beside {
  /** Of the connections of the other pool. */
  readonly share: number;
  /** The first statement on each connection, after the limits. */
  readonly first: string;
  /** Connections that stay open; unless said, none does. */
  readonly keeps?: number;
}

const openBeside = (pool: pg.Pool, { share, first, keeps = 0 }: Beside, onError: (error: Error) => void): pg.Pool => {
  const options = sessionOptions(pool);
  const onConnect = beginWith(`${LIMITS}; ${first}`);
  return tellCommits(
    watched(new pg.Pool({ ...options, max: Math.ceil(options.max * share), min: keeps, onConnect }), onError),
    pool,
  );
};

const beginWith =
  (first: string) =>
  (client: pg.ClientBase): void =>
    client.query(first) as unknown as void;

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
  // The same while a transaction holds it; its next query fails and the caller gets that error.
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("connect", readRowsInTurns);
  return knownByConnections(pool);
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

/** Runs `work` in a transaction on its own connection; possible refusals are in the result type. */
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
 * Commits what `work` does over the client; rolls back if it returns a refusal. If it throws, close the connection
 * instead of returning it to the pool: the database then rolls back, whatever state the connection is in.
 */
export const transaction = async <T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> => {
  await client.query("begin");
  const result = await work();
  const isCommitted = !isRefusal(result);
  await client.query(isCommitted ? "commit" : "rollback");
  ended(client, isCommitted);
  return result;
};

/** Part of a transaction that is rolled back on its own if it returns a refusal. */
export const savepoint = async <T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> => {
  await client.query("savepoint part");
  const result = await work();
  await client.query(isRefusal(result) ? "rollback to savepoint part" : "release savepoint part");
  return result;
};
