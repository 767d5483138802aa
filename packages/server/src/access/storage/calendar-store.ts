import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readFirst, readPage } from "../../platform/database/read.js";
import type { CalendarStore } from "../operations/access-stores.js";
import { type StandingRow, standingColumns, standingOf } from "./user-store.js";

const calendarRow = selection("calendars", ["id", "user_id", "name", "program_id", "created_at", "last_used_at"]);
type CalendarRow = RowOf<typeof calendarRow>;

/** A calendar's columns with its user's, aliased if both have the name. */
type FoundRow = StandingRow &
  Omit<CalendarRow, "id" | "name" | "created_at"> & {
    readonly calendar_id: string;
    readonly calendar_name: string;
    readonly calendar_created_at: Date;
  };

const foundFrom = (row: FoundRow) => ({
  ...standingOf(row),
  calendar: calendarRow.camel({
    ...row,
    id: row.calendar_id,
    name: row.calendar_name,
    created_at: row.calendar_created_at,
  }),
});

export const calendarStore = (db: Queryable): CalendarStore => ({
  async insert({ id, userId, name, programId, createdAt }, tokenHash) {
    await db.query(
      "insert into calendars (id, token_hash, user_id, name, program_id, created_at) values ($1, $2, $3, $4, $5, $6)",
      [id, tokenHash, userId, name, programId, createdAt],
    );
  },
  find: (tokenHash) =>
    readFirst(db, foundFrom, {
      name: "find-calendar",
      text: `select ${standingColumns}, user_id, program_id, last_used_at, calendars.id as calendar_id,
               calendars.name as calendar_name, calendars.created_at as calendar_created_at
             from calendars join users on users.id = calendars.user_id
             left join accounts on accounts.id = users.account_id
             where calendars.token_hash = $1`,
      values: [tokenHash],
    }),
  list: (userId, page) =>
    readPage(db, page, calendarRow.camel, {
      text: `select * from calendars where user_id = $3 and ($1::bigint is null or seq < $1) order by seq desc limit $2`,
      values: [userId],
    }),
  async touch(id, now) {
    await db.query("update calendars set last_used_at = $2 where id = $1", [id, now]);
  },
  remove: (userId, id) =>
    readFirst(db, calendarRow.camel, "delete from calendars where user_id = $1 and id = $2 returning *", [userId, id]),
  async removeAll(userId) {
    await db.query("delete from calendars where user_id = $1", [userId]);
  },
});
