import type { Queryable } from "../../platform/database/database.js";
import type { VenPollArchive } from "../operations/note-ven-polls.js";

export const venPollStore = (db: Queryable): VenPollArchive => ({
  async save(polls) {
    // In the order of keys, so that processes writing the same rows do not deadlock.
    const sorted = [...polls].sort(([a], [b]) => (a < b ? -1 : 1));
    await db.query({
      name: "save-ven-polls",
      text: `update vens set last_poll_at = polled.at
             from unnest($1::text[], $2::timestamptz[]) as polled (id, at)
             where vens.id = polled.id and (last_poll_at is null or last_poll_at < polled.at)`,
      values: [sorted.map(([id]) => id), sorted.map(([, at]) => at)],
    });
  },
  async saveListening({ id, since, until }) {
    // Periods that ended a day ago are not needed: later ones show the same.
    await db.query({
      name: "save-ven-listening",
      text: `with saved as (
               insert into vtn_listening (id, since, until) values ($1, $2, $3)
               on conflict (id) do update set until = greatest(vtn_listening.until, excluded.until)
             )
             delete from vtn_listening where until < $3::timestamptz - interval '1 day' and id <> $1`,
      values: [id, since, until],
    });
  },
});
