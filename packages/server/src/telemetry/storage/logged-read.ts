import type { Queryable } from "../../platform/database/database.js";
import { memoryOfPool } from "../../platform/database/memory-of-pool.js";
import {
  type OneShard,
  oneShard,
  queryShard,
  rowsOfShards,
  type ShardParts,
} from "../../platform/database/shard-statement.js";
import { isDistributed, type OfSite } from "../../platform/database/shards.js";
import { type LoggedAnswer, LogMemory, type LogQueries, type WholeAnswer } from "./log-memory.js";
import { LOG_PAGE, type StoredRecord, unseenRows } from "./log-rows.js";
import type { LogState } from "./log-state.js";

/**
 * A statement on hour rows that returns, in one snapshot, what the log has in addition.
 *
 * @param text SQL of `StoredRecord`s
 * @param parameters how many it has
 */
export const loggedRead = (name: string, parameters: number, text: (parts: ShardParts) => string): OneShard =>
  oneShard(name, (parts) =>
    parts.isPlain ? `${text(parts)} union all (${unseenRows(`$${parameters + 1}`)})` : text(parts),
  );

const memoryOf = memoryOfPool(() => new LogMemory(true));

/** Asks with what is known of the log; again where it was folded meanwhile, and without where that does not serve the statement. */
const asked = async (db: Queryable, statement: LogQueries["statement"]): Promise<WholeAnswer> => {
  const queries: LogQueries = {
    statement,
    page: async (known, until, { xid, seq }) =>
      (await queryShard<StoredRecord>(db, LOG_PAGE, null, [known, until, xid, seq])).rows,
  };
  let answer = await memoryOf(db).ask(queries);
  if (answer === "changed") answer = await memoryOf(db).ask(queries);
  if (typeof answer === "string") answer = await new LogMemory(false).ask(queries);
  if (typeof answer === "string")
    throw new Error("the server of the database changed while the log of readings was read");
  return answer;
};

/**
 * What the statement returns for the items, and what of the log lies over it: to be used before anything else is awaited, as
 * what is folded meanwhile is forgotten.
 */
export const readLogged = async <T extends OfSite>(
  db: Queryable,
  statement: OneShard,
  items: readonly T[],
  values: (items: readonly T[]) => readonly unknown[],
): Promise<LoggedAnswer> => {
  if (await isDistributed(db))
    return { records: await rowsOfShards<StoredRecord, T>(db, statement, items, values), log: null };
  return asked(db, (known) => rowsOfShards<StoredRecord, T>(db, statement, items, (some) => [...values(some), known]));
};

const NOTHING = loggedRead(
  "log-state",
  0,
  () => "select 0 as site, 0 as meter, 0 as place, null::text as version, null::text as content where false",
);

/** The log as it is, for as long as nobody else folds it; null on a distributed database. */
export const logState = async (db: Queryable): Promise<LogState | null> => {
  if (await isDistributed(db)) return null;
  const { state } = await asked(db, async (known) => (await queryShard<StoredRecord>(db, NOTHING, null, [known])).rows);
  return state;
};
