import type pg from "pg";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import { inTransaction } from "../../platform/database/database.js";
import type { DueWork } from "../../platform/database/due-work.js";
import { progressIn } from "../../platform/database/journal-progress.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { LISTED_AFTER_END_MS } from "../domain/ven.js";
import type { ClaimedPush, DuePush, PushQueue } from "../operations/push-events.js";
import { IS_OF_INTEREST, IS_STILL_PUSHED, MAY_BE_PUSHED, WITH_ITS_SITES } from "./push-conditions.js";
import { type VenRow, venColumns, venFromRow } from "./ven-store.js";

const dueRow = selection("ven_pushes", ["dispatch_id", "modification_number", "failures"]);
type ClaimedRow = VenRow & RowOf<typeof dueRow>;

/**
 * Claims at $1 what is due, with the current modification, which the message carries. What a VEN is not pushed any more is
 * forgotten: if its account is enabled again, or it gets an address, the follower writes it again.
 */
const CLAIM = `
  with due as materialized (
    select ven, dispatch_id from ven_pushes as waiting
    where next_attempt_at <= $1
      and not exists (select from ven_pushes as leased where leased.ven = waiting.ven and leased_until > $4)
    order by ven, dispatch_id for no key update skip locked
  ), pushed as materialized (
    select due.*, dispatches.modification_number
    from due join vens on vens.id = ven join accounts on accounts.id = account_id
    join dispatches on dispatches.id = dispatch_id ${WITH_ITS_SITES}
    where ${MAY_BE_PUSHED} and ${IS_STILL_PUSHED} and ${IS_OF_INTEREST}
  ), forgotten as (
    delete from ven_pushes using due left join pushed using (ven, dispatch_id)
    where ven_pushes.ven = due.ven and ven_pushes.dispatch_id = due.dispatch_id and pushed.ven is null
  ), claimed as (
    update ven_pushes as pushes
    set failures = case when pushes.modification_number = pushed.modification_number then failures else 0 end,
      modification_number = pushed.modification_number, next_attempt_at = $3, leased_until = $3
    from pushed where pushes.ven = pushed.ven and pushes.dispatch_id = pushed.dispatch_id
    returning pushes.ven, pushes.dispatch_id, pushes.modification_number, failures
  )
  select ${venColumns}, dispatch_id, modification_number, failures from claimed join vens on vens.id = ven
  order by vens.seq, dispatch_id`;

/** Condition on what is `held`: no newer modification was written meanwhile, which is due at once. */
const IS_SAME = "held.modification_number = outcome.modification_number";

export const dueVenPushes: DueWork = {
  name: "pushes to VENs",
  next: "select next_attempt_at from ven_pushes where next_attempt_at is not null order by next_attempt_at limit 1",
};

export const pushQueue = (pool: pg.Pool): PushQueue => ({
  async claim({ now, leasedUntil, lapsedBefore }) {
    const claimed = await inTransaction(pool, async (client) => {
      if (!(await takeTurn(client, "pushes"))) return [];
      const { rows } = await client.query<ClaimedRow>({
        name: "claim-pushes",
        text: CLAIM,
        values: [now, new Date(now.getTime() - LISTED_AFTER_END_MS), leasedUntil, lapsedBefore],
      });
      return rows;
    });
    return byVen(claimed, leasedUntil);
  },
  async record({ ven: { id }, leasedUntil }, { at, status, durationMs, address, error }, records) {
    await pool.query(
      `with outcome as (
         select * from unnest($2::text[], $3::int[], $4::int[], $5::timestamptz[])
           as outcome (dispatch_id, modification_number, failures, next_attempt_at)
       ), attempt as (
         insert into ven_push_attempts
           (ven, dispatch_id, modification_number, number, at, status, duration_ms, address, error, gave_up)
         select $1, dispatch_id, modification_number, number, $6, $7, $8, $9, $10::text, $10::text is not null and next_attempt_at is null
         from outcome join unnest($2::text[], $11::int[]) as counted (dispatch_id, number) using (dispatch_id)
         where not exists (
           select from ven_push_attempts as made
           where made.ven = $1 and made.dispatch_id = outcome.dispatch_id and made.number = counted.number
             and made.modification_number = outcome.modification_number and made.at = $6)
         returning dispatch_id
       ), followed as (
         ${progressIn("select dispatch_id, account_id from attempt join vens on vens.id = $1", { at: "$6" })}
       ), held as materialized (
         select ven, dispatch_id, modification_number from ven_pushes
         where ven = $1 and leased_until = $12 order by dispatch_id for no key update
       )
       update ven_pushes as pushes
       set leased_until = null,
         failures = case when ${IS_SAME} then outcome.failures else pushes.failures end,
         next_attempt_at = case when ${IS_SAME} then outcome.next_attempt_at else pushes.next_attempt_at end
       from held join outcome using (dispatch_id)
       where pushes.ven = held.ven and pushes.dispatch_id = held.dispatch_id`,
      [
        id,
        ...valuesOf(records, "dispatchId", "modificationNumber", "failures", "nextAttemptAt"),
        at,
        status,
        durationMs,
        address,
        error,
        records.map(({ failures, isDone }) => (isDone ? failures + 1 : failures)),
        leasedUntil,
      ],
    );
  },
});

const byVen = (rows: readonly ClaimedRow[], leasedUntil: Date): ClaimedPush[] => {
  const pushes = new Map<string, ClaimedPush & { readonly due: DuePush[] }>();
  for (const row of rows) {
    const push = pushes.get(row.id) ?? { ven: venFromRow(row), leasedUntil, due: [] };
    push.due.push(dueRow.camel(row));
    pushes.set(row.id, push);
  }
  return [...pushes.values()];
};
