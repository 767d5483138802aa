import type pg from "pg";
import { onceFor } from "../once.js";

type Queryable = Pick<pg.Pool, "query">;

/** Pools of the connections that belong to one. */
const pools = new WeakMap<object, object>();

/** Connections of the pool know what the pool knows. */
export const knownByConnections = (pool: pg.Pool): pg.Pool =>
  pool.on("connect", (client) => void pools.set(client, pool));

/** What a process remembers of a database, by pool; of a connection that belongs to none, by itself. */
export const memoryOfPool = <T>(fresh: () => T): ((db: Queryable) => T) => {
  const memoryOf = onceFor((_owner: object) => fresh());
  return (db) => memoryOf(pools.get(db) ?? db);
};
