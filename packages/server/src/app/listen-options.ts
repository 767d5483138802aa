import type pg from "pg";
import type { Config } from "../platform/runtime/config.js";
import { NONE } from "../platform/runtime/setting-types.js";

/** How to connect for listening to commits; null: not at all. */
export const listenOptions = (
  { databaseListenUrl: url }: Pick<Config, "databaseListenUrl">,
  { options }: Pick<pg.Pool, "options">,
): pg.PoolOptions | null => {
  if (url === null) return options;
  return url === NONE ? null : { ...options, connectionString: url };
};
