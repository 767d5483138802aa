import type { Queryable } from "../../platform/database/database.js";
import type { NoticeStore } from "../operations/dispatch-stores.js";

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
      // Participants' own tests and those of the simulated site are not owed to anybody, nor are those of the sandbox, whose programs are in no table
      // (G45).
      `with added as (
         insert into notices (dispatch_id, event, modification_number, due_at, owed_look_at)
         values ($1, $2, $3, $4, (
           select $4::timestamptz from dispatches join programs on programs.id = program_id
           where dispatches.id = $1 and not built_in and not is_simulated and not self_made))
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

const CONCERNED = `owed_look_at > $2 and due_at <= $2 and exists (
  select from dispatch_sites where dispatch_sites.dispatch_id = notices.dispatch_id and account_id = $1)`;

/** Has the owed notices of an account checked at once: it lost a channel, perhaps its last one (G45). */
export const lookAgainAtOwed = async (db: Queryable, accountId: string, now: Date): Promise<void> => {
  await db.query(
    `with locked as materialized (${lockedNotices(CONCERNED)})
     update notices set owed_look_at = $2 from locked where notices.seq = locked.seq`,
    [accountId, now],
  );
};

/**
 * The notices that match a condition in SQL, locked in the one order in which all do: who updates several waits for nobody who
 * waits for it. Not `for update`: an email that names a notice would wait for it.
 */
export const lockedNotices = (condition: string): string =>
  `select seq from notices where ${condition} order by seq for no key update`;
