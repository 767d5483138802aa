import pg from "pg";
import type { BenchDatabase } from "./database.js";

export const NOTICE_CHANNEL = "curtail_notices";

/** In milliseconds since 1970, the same in all processes. */
export const now = (): number => performance.timeOrigin + performance.now();

/** At the commit, when the service notifies its workers. */
export const listenForCommit = async ({ url }: BenchDatabase) => {
  const client = new pg.Client(url);
  await client.connect();
  const committed = new Promise<number>((resolve) => client.once("notification", () => resolve(now())));
  await client.query(`listen ${NOTICE_CHANNEL}`);
  return { committed, end: () => client.end() };
};
