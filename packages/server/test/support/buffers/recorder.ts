import { atEnd } from "@curtail/testing/at-end";
import type { DatabaseConnection } from "@curtail/testing/database";
import pg from "pg";
import type { TestDatabase } from "../database.js";

/** What a statement touched at most, and how often it ran. */
export interface Touched {
  readonly buffers: number;
  readonly count: number;
  /** How it touched them, as PostgreSQL explains it. */
  readonly plan: unknown;
}

/** A prepared statement, as it last ran over a connection whose plans may be kept. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

export interface Recorder {
  /** By the statement's name; without one, by the function of the store that it is in. */
  readonly touched: ReadonlyMap<string, Touched>;
  readonly prepared: ReadonlyMap<string, Prepared>;
}

/** Settings of a database whose statements are recorded: each is explained to the client that runs it. */
const EXPLAINING: ReadonlyArray<readonly [name: string, value: string]> = [
  ["session_preload_libraries", "auto_explain"],
  ["auto_explain.log_min_duration", "0"],
  ["auto_explain.log_analyze", "on"],
  ["auto_explain.log_buffers", "on"],
  ["auto_explain.log_timing", "off"],
  ["auto_explain.log_format", "json"],
  ["auto_explain.log_level", "notice"],
  ["auto_explain.log_parameter_max_length", "0"],
];

/** Has each statement over new connections to a database explained. */
export const explained = async ({ database, ...rest }: DatabaseConnection): Promise<void> => {
  const client = new pg.Client({ ...rest, database: "postgres" });
  await client.connect();
  for (const [name, value] of EXPLAINING) await client.query(`alter database ${database} set ${name} = '${value}'`);
  await client.end();
};

interface Query {
  readonly text: string;
  readonly name?: string;
  readonly values?: unknown[];
}

interface Explained {
  readonly "Query Text": string;
  readonly Plan: { readonly "Shared Hit Blocks"?: number; readonly "Shared Read Blocks"?: number };
}

/** Records what every statement on a database touches, until the end of the test file: another file's may still be in use. */
export const recordStatements = ({ connection: { database } }: TestDatabase): Recorder => {
  const names = new Map<string, string>();
  const touched = new Map<string, Touched>();
  const prepared = new Map<string, Prepared>();
  const planningAgain = new WeakSet<object>();
  observe(pg.Pool.prototype, "query", (_, [given]) => learnName(names, queryOf(given)));
  observe(pg.Client.prototype, "query", (client, [given]) => {
    const { text, name, values = [] } = queryOf(given);
    learnName(names, { text, ...(name === undefined ? {} : { name }) });
    if (text.includes("plan_cache_mode")) planningAgain.add(client);
    if (name !== undefined && !planningAgain.has(client)) prepared.set(name, { name, text, values });
  });
  observe(pg.Client.prototype, "emit", (client, [event, notice]) => {
    const isOurs = (client as pg.Client).database === database;
    const plan = isOurs && event === "notice" ? explainedBy(notice) : null;
    // What the tests themselves ask has no name.
    const name = plan === null ? undefined : names.get(plan["Query Text"]);
    if (plan === null || name === undefined) return;
    const known = touched.get(name) ?? { buffers: -1, count: 0, plan: null };
    const now = { buffers: buffersOf(plan), plan };
    touched.set(name, { ...(now.buffers > known.buffers ? now : known), count: known.count + 1 });
  });
  return { touched, prepared };
};

/** Enough for a plan that is kept, if the planner keeps one. */
const RUNS = 8;

/** What each prepared statement touches once its plan may be kept: nothing that it changes stays. */
export const replayed = async (
  connection: pg.ClientConfig,
  statements: Iterable<Prepared>,
  settings = "",
): Promise<ReadonlyMap<string, number>> => {
  const client = new pg.Client(connection);
  await client.connect();
  let latest: Explained | null = null;
  client.on("notice", (notice) => (latest = explainedBy(notice) ?? latest));
  const buffers = new Map<string, number>();
  await client.query(`begin; ${settings}`);
  for (const statement of statements) {
    for (let run = 0; run < RUNS; run++) {
      await client.query("savepoint before");
      await client.query(statement);
      await client.query("rollback to before");
    }
    if (latest !== null) buffers.set(statement.name, buffersOf(latest));
    latest = null;
  }
  await client.query("rollback");
  await client.end();
  return buffers;
};

const buffersOf = ({ Plan: { "Shared Hit Blocks": hit = 0, "Shared Read Blocks": read = 0 } }: Explained): number =>
  hit + read;

const queryOf = (given: unknown): Query => (typeof given === "string" ? { text: given } : (given as Query));

type Method = (...given: unknown[]) => unknown;

/** Shows each call of a method before it is carried out. */
const observe = (prototype: object, name: string, see: (on: object, given: readonly unknown[]) => void): void => {
  const methods = prototype as Record<string, Method>;
  const original = methods[name];
  if (original === undefined) throw new Error(`there is no method ${name}`);
  methods[name] = function (this: object, ...given: unknown[]) {
    see(this, given);
    return original.apply(this, given);
  };
  atEnd(async () => void (methods[name] = original));
};

const learnName = (names: Map<string, string>, { text, name }: Query): void => {
  if (text === undefined || names.has(text)) return;
  const known = name ?? placeInStore(new Error("where").stack ?? "");
  if (known !== null) names.set(text, known);
};

/** `dispatch/dispatch-store.pastOf`; null: not in a store. What reads for all stores is none. */
const placeInStore = (stack: string): string | null => {
  const place =
    /at (?:async )?(?:Object\.|Module\.)?(\S+) \(\S*\/(?:dist|src)\/(\S+?)\/(?:storage|database)\/(?!read\.)(\S+?)\.[jt]s:/;
  const found = place.exec(stack);
  return found === null ? null : `${found[2]}/${found[3]}.${found[1]}`;
};

const explainedBy = (notice: unknown): Explained | null => {
  const plan = /^duration: [\d.]+ ms {2}plan:\n(\{.*\})\s*$/s.exec((notice as Error).message);
  return plan === null ? null : (JSON.parse(plan[1] ?? "") as Explained);
};
