import type { Queryable } from "../../platform/database/database.js";
import type { UsualPollArchive } from "../operations/note-polls.js";

/** Who polls, and the table of their polls. */
interface Pollers {
  readonly table: "account_polls" | "openadr3_polls";
  readonly column: "account_id" | "client_id";
  readonly of: "accounts" | "openadr3_clients";
}

const usualPollStore = (db: Queryable, { table, column, of }: Pollers): UsualPollArchive => ({
  async save(polls) {
    // Its account may have been deleted with a demo. In the order of keys, so that processes writing the same rows do not
    // deadlock.
    const sorted = [...polls].sort(([a], [b]) => (a < b ? -1 : 1));
    await db.query({
      name: `save-${table}`,
      text: `insert into ${table} (${column}, last_at, interval_seconds)
             select polls.* from unnest($1::text[], $2::timestamptz[], $3::float8[]) as polls (id, at, seconds)
             where exists (select from ${of} where ${of}.id = polls.id)
             on conflict (${column}) do update set last_at = greatest(${table}.last_at, excluded.last_at),
               interval_seconds = coalesce(excluded.interval_seconds, ${table}.interval_seconds)`,
      values: [
        sorted.map(([id]) => id),
        sorted.map(([, { lastAt }]) => lastAt),
        sorted.map(([, { intervalSeconds }]) => intervalSeconds),
      ],
    });
  },
});

export const accountPollStore = (db: Queryable): UsualPollArchive =>
  usualPollStore(db, { table: "account_polls", column: "account_id", of: "accounts" });

export const clientPollStore = (db: Queryable): UsualPollArchive =>
  usualPollStore(db, { table: "openadr3_polls", column: "client_id", of: "openadr3_clients" });
