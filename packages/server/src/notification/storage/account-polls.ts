import type { Queryable } from "../../platform/database/database.js";
import type { AccountPollArchive } from "../operations/note-account-polls.js";

export const accountPollStore = (db: Queryable): AccountPollArchive => ({
  async save(polls) {
    // An account may have gone with a demo since it polled. In the order of keys, so that processes writing the same rows do not deadlock.
    const sorted = [...polls].sort(([a], [b]) => (a < b ? -1 : 1));
    await db.query({
      name: "save-account-polls",
      text: `insert into account_polls (account_id, last_at, interval_seconds)
             select polls.* from unnest($1::text[], $2::timestamptz[], $3::float8[]) as polls (id, at, seconds)
             where exists (select from accounts where accounts.id = polls.id)
             on conflict (account_id) do update set last_at = greatest(account_polls.last_at, excluded.last_at),
               interval_seconds = coalesce(excluded.interval_seconds, account_polls.interval_seconds)`,
      values: [
        sorted.map(([id]) => id),
        sorted.map(([, { lastAt }]) => lastAt),
        sorted.map(([, { intervalSeconds }]) => intervalSeconds),
      ],
    });
  },
});
