import type { Queryable } from "../../platform/database/database.js";
import type { NoticeStore } from "../operations/dispatch-ports.js";
import { lockedNotices } from "./locked-notices.js";

/** Notified at every commit of a notice; only a hint to poll. */
export const NOTICE_CHANNEL = "curtail_notices";

const HAS_VENS = `exists (
  select from vens where environment = 'production' and deleted_at is null
    and account_id in (select account_id from dispatch_sites where dispatch_id = $1))`;

export const noticeStore = (db: Queryable): NoticeStore => noticesOver(db, HAS_VENS);

/** The sandbox's connections have no tables of VENs. */
export const sandboxNoticeStore = (db: Queryable): NoticeStore => noticesOver(db, "false");

const noticesOver = (db: Queryable, hasVens: string): NoticeStore => ({
  async add({ dispatchId, event, modificationNumber, dueAt }) {
    const { rows } = await db.query<{ has_vens: boolean }>(
      // Participants' own tests are not owed to anybody, nor are those of the sandbox, whose programs are in no table
      // (G45).
      `with added as (
         insert into notices (dispatch_id, event, modification_number, due_at, owed_look_at)
         values ($1, $2, $3, $4, (
           select $4::timestamptz from dispatches join programs on programs.id = program_id
           where dispatches.id = $1 and not built_in and not self_made))
       ) select pg_notify($5, ''), ${hasVens} as has_vens`,
      [dispatchId, event, modificationNumber, dueAt, NOTICE_CHANNEL],
    );
    return { hasVens: rows[0]?.has_vens === true };
  },
  async drop(dispatchId) {
    await db.query(
      `with locked as materialized (${lockedNotices("dispatch_id = $1 and state = 'waiting'")})
       update notices set state = 'dropped', owed_look_at = null from locked where notices.seq = locked.seq`,
      [dispatchId],
    );
  },
});
