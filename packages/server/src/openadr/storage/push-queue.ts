import type pg from "pg";
import { IS_ANNOUNCED, IS_NOT_OVER, IS_SHOWN } from "../../dispatch/storage/dispatch-conditions.js";
import { progressIn } from "../../dispatch/storage/progress.js";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import { inTransaction } from "../../platform/database/database.js";
import type { DueWork } from "../../platform/database/due-work.js";
import { LISTED_AFTER_END_MS } from "../domain/ven.js";
import type { ClaimedPush, DuePush, PushQueue } from "../operations/push-events.js";
import { type VenRow, venColumns, venFromRow } from "./ven-store.js";

const dueRow = selection("ven_pushes", ["dispatch_id", "modification_number", "failures"]);
type ClaimedRow = VenRow & RowOf<typeof dueRow>;

/**
 * What each VEN is to be sent at $1: visible dispatches, cancelled ones only if it received them before.
 *
 * @param isRecent condition on a dispatch that was notified
 */
export const duePushes = (isRecent: string): string => `
    select vens.id as ven, dispatches.id as dispatch_id, dispatches.modification_number
    from vens join accounts on accounts.id = account_id and not disabled
    join dispatches on ${IS_ANNOUNCED} and notification_time <= $1 and ${isRecent} and ${IS_SHOWN}
      and (authorized or exists (
        select from ven_events where ven_events.ven = vens.id and ven_events.dispatch_id = dispatches.id))
      and exists (select from dispatch_sites where dispatch_sites.dispatch_id = dispatches.id
        and dispatch_sites.account_id = vens.account_id and (site_ids is null or site_id = any(site_ids)))
    left join ven_pushes on ven_pushes.ven = vens.id and ven_pushes.dispatch_id = dispatches.id
    where push_url is not null and deleted_at is null and environment = 'production'
      and (ven_pushes.ven is null or ven_pushes.modification_number < dispatches.modification_number
        or next_attempt_at <= $1)`;

/** A VEN receives dispatches that are not over, or were changed since $2. */
const CLAIM = `
  with due as (${duePushes(`(${IS_NOT_OVER} or changed_at >= $2)`)}
      and not exists (select from ven_pushes as leased where leased.ven = vens.id and leased_until > $4)
  ), claimed as (
    insert into ven_pushes as pushes (ven, dispatch_id, modification_number, failures, next_attempt_at, leased_until)
    select ven, dispatch_id, modification_number, 0, $3, $3 from due
    on conflict (ven, dispatch_id) do update
    set failures = case when pushes.modification_number = excluded.modification_number then pushes.failures else 0 end,
      modification_number = excluded.modification_number, next_attempt_at = $3, leased_until = $3
    returning ven, dispatch_id, modification_number, failures
  )
  select ${venColumns}, dispatch_id, modification_number, failures from claimed join vens on vens.id = ven
  order by vens.seq, dispatch_id`;

/** What a VEN is to be sent is compared with what it got, at each look: so while any has an address. */
export const duePushLooks: DueWork = {
  name: "pushes to VENs",
  next: `select timestamptz 'epoch' from vens where push_url is not null and deleted_at is null and environment = 'production'
         order by seq limit 1`,
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
       )
       update ven_pushes
       set failures = outcome.failures, next_attempt_at = outcome.next_attempt_at, leased_until = null
       from outcome where ven = $1 and ven_pushes.dispatch_id = outcome.dispatch_id and leased_until = $12`,
      [
        id,
        records.map(({ dispatchId }) => dispatchId),
        records.map(({ modificationNumber }) => modificationNumber),
        records.map(({ failures }) => failures),
        records.map(({ nextAttemptAt }) => nextAttemptAt),
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
