import type { CursorLease } from "../follower.js";
import type { Row } from "./columns.js";
import type { Queryable } from "./database.js";
import { type CursorRow, cursorFrom, cursorValues } from "./journal-reader.js";
import { matchesOne } from "./read.js";

type LeaseRow = Row<"followers", "leased_until"> & (CursorRow | { readonly seen: null });

export const cursorLease = (db: Queryable, name: string): CursorLease => ({
  async take(holder, { now, until }) {
    const { rows } = await db.query<LeaseRow>({
      name: "lease-cursor",
      text: `with taken as (
               update followers set leased_by = $2, leased_until = $4
               where name = $1 and (leased_until is null or leased_until <= $3)
               returning seen::text, page::text, page_after
             )
             select taken.*, leased_until from followers left join taken on true where name = $1`,
      values: [name, holder, now, until],
    });
    const [row] = rows;
    if (row === undefined || row.seen === null) return { cursor: null, until: row?.leased_until ?? until };
    return { cursor: cursorFrom(row), until };
  },
  renew: (holder, until) =>
    matchesOne(db, {
      name: "renew-cursor",
      text: "update followers set leased_until = $3 where name = $1 and leased_by = $2",
      values: [name, holder, until],
    }),
  move: (holder, cursor, at) =>
    matchesOne(db, {
      name: "move-leased-cursor",
      text: `update followers set seen = $3, page = $4, page_after = $5, moved_at = $6
             where name = $1 and leased_by = $2`,
      values: [name, holder, ...cursorValues(cursor), at],
    }),
  async release(holder) {
    await db.query("update followers set leased_by = null, leased_until = null where name = $1 and leased_by = $2", [
      name,
      holder,
    ]);
  },
});
