import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import type { DueWork } from "../../platform/database/due-work.js";

const IS_UNNOTED = "noted_at is null and state <> 'dropped'";
const NOTICES_AT_ONCE = 50;

/** States of scenarios that VENs of OpenADR 3 are to see from now on. */
export const dueRehearsals: DueWork = {
  name: "notices of rehearsals",
  next: `select due_at from sandbox.notices where ${IS_UNNOTED} order by due_at limit 1`,
};

/** Tells the journal of notices of the sandbox that became due; returns whether there may be more. */
export const noteRehearsals = async (db: Queryable, now: Date): Promise<boolean> => {
  const { rows } = await db.query<{ count: number }>({
    name: "note-rehearsals",
    text: `with due as (
             select seq, dispatch_id from notices where ${IS_UNNOTED} and due_at <= $1
             order by seq limit ${NOTICES_AT_ONCE} for no key update skip locked
           ), noted as (
             update notices set noted_at = $1 from due where notices.seq = due.seq
           ), followed as (
             insert into journal (at, kind, subject, ref, accounts)
             select $1, 'dispatch.notified', dispatch_id, due.seq, array(
               select distinct account_id from scenario_steps join scenarios on scenarios.id = scenario_id
               where scenario_steps.dispatch_id = due.dispatch_id)
             from due order by due.seq
           )
           select count(*) as count from due`,
    values: [now],
  });
  const [{ count } = { count: 0 }] = rows;
  if (count > 0) appended(db, "dispatch.notified");
  return count === NOTICES_AT_ONCE;
};
