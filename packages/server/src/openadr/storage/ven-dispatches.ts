import { isNotified } from "../../dispatch/domain/dispatch.js";
import { calledAccounts, IS_ANNOUNCED, RECENT_DISPATCHES } from "../../dispatch/storage/dispatch-conditions.js";
import { type DispatchRow, dispatchColumns, dispatchFromRow } from "../../dispatch/storage/dispatch-row.js";
import type { Clock } from "../../platform/clock.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { rowsOfEach } from "../../platform/database/rows-of-each.js";
import { FreshMemory } from "../../platform/fresh-memory.js";
import { LISTED_AFTER_END_MS } from "../domain/ven.js";
import type { VenDispatch, VenDispatches } from "../operations/ven-channel.js";

type VenDispatchRow = DispatchRow & Row<"programs", "openadr"> & { readonly ven: string; readonly priority: number };

const OF_VEN = "account_id = vens.account_id and (vens.site_ids is null or site_id = any(vens.site_ids))";

/** In order of creation, and unique (rule 8). An event keeps the number it was first sent with, which may be smaller. */
const callingOf = (ofAccounts: string): string => `
  with recent as materialized (${RECENT_DISPATCHES}), asked as materialized (select * from vens where id = any($1))
  select vens.id as ven, programs.openadr, ${dispatchColumns(`and ${OF_VEN}`)},
    coalesce(ven_events.priority, dispatches.seq)::int as priority
  from recent as dispatches
  join programs on programs.id = program_id
  ${ofAccounts}
  join asked as vens on vens.account_id = called_account
  left join ven_events on ven_events.ven = vens.id and ven_events.dispatch_id = dispatches.id
  where ${IS_ANNOUNCED} and (vens.site_ids is null or exists (
    select from dispatch_sites where dispatch_id = dispatches.id and site_id = any(vens.site_ids) offset 0))`;

const ACCOUNTS = "(select distinct account_id from asked)";

/** For some 50,000 VENs with one dispatch of a few sites each. */
const MOST_BYTES = 64 * 1024 * 1024;
const DISPATCH_BYTES = 1000;
const SITE_BYTES = 300;

/** A VEN's dispatches, and those of them that are notified until the next one is. */
interface Remembered {
  readonly recent: readonly VenDispatch[];
  notified: readonly VenDispatch[];
  untilMs: number;
}

/** Production's dispatches, read once until something changes. */
export const venDispatches = (db: Queryable, clock: Clock): VenDispatches => {
  const memory = new FreshMemory<Remembered>({
    async load(vens) {
      const recent = await dispatchesOf(db, vens, new Date(clock.now().getTime() - LISTED_AFTER_END_MS));
      return recent.map((dispatches) => ({ recent: dispatches, notified: [], untilMs: Number.NEGATIVE_INFINITY }));
    },
    bytesOf: ({ recent }) =>
      recent.reduce((sum, { dispatch }) => sum + DISPATCH_BYTES + dispatch.sites.length * SITE_BYTES, SITE_BYTES),
    mostBytes: MOST_BYTES,
  });
  return {
    async calling({ id }, { access, dispatches }) {
      // Which sites a VEN has is part of its access.
      return notifiedOf(await memory.find(id, `${access} ${dispatches}`), clock.now());
    },
  };
};

/** Planned dispatches are many, and a poll costs no more for them: they are looked at when the next one is notified. */
const notifiedOf = (remembered: Remembered, now: Date): readonly VenDispatch[] => {
  if (now.getTime() < remembered.untilMs) return remembered.notified;
  const later = remembered.recent
    .map(({ dispatch }) => dispatch.notification.getTime())
    .filter((ms) => ms > now.getTime());
  remembered.untilMs = Math.min(...later);
  return (remembered.notified = remembered.recent.filter(({ dispatch }) => isNotified(dispatch, now)));
};

const dispatchesOf = async (
  db: Queryable,
  vens: readonly string[],
  since: Date,
): Promise<ReadonlyArray<readonly VenDispatch[]>> => {
  const ids = [...new Set(vens)];
  const { join, isFew } = calledAccounts(ACCOUNTS, ids.length);
  const { rows } = await db.query<VenDispatchRow>({
    name: isFew ? "ven-dispatches" : "ven-dispatches-of-many",
    text: callingOf(join),
    values: [ids, since],
  });
  return rowsOfEach(vens, rows, { keyOf: ({ ven }) => ven, fromRow });
};

const fromRow = (row: VenDispatchRow): VenDispatch => ({
  dispatch: dispatchFromRow(row),
  openadr: row.openadr,
  priority: row.priority,
});
