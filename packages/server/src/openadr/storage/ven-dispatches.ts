import { RECENT_DISPATCHES } from "../../dispatch/storage/dispatch-conditions.js";
import { type DispatchRow, dispatchColumns, dispatchFromRow } from "../../dispatch/storage/dispatch-row.js";
import { Batcher } from "../../platform/batcher.js";
import type { Clock } from "../../platform/clock.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { LISTED_AFTER_END_MS } from "../domain/ven.js";
import type { VenDispatch, VenDispatches } from "../operations/ven-channel.js";

type VenDispatchRow = DispatchRow & Row<"programs", "openadr"> & { readonly ven: string; readonly priority: number };

const OF_VEN = "account_id = vens.account_id and (vens.site_ids is null or site_id = any(vens.site_ids))";

/** The position by creation is computed once: an event keeps the number it was first sent with. */
const CALLING = `
  select vens.id as ven, programs.openadr, ${dispatchColumns(`and ${OF_VEN}`)}, coalesce(ven_events.priority, (
    select count(*) from dispatches as earlier
    where earlier.seq <= dispatches.seq and (vens.market_context = '*' or earlier.program_id = dispatches.program_id)
  ))::int as priority
  from (${RECENT_DISPATCHES}) as dispatches
  join programs on programs.id = program_id
  join vens on vens.id = any($1)
  left join ven_events on ven_events.ven = vens.id and ven_events.dispatch_id = dispatches.id
  where exists (select from dispatch_sites where dispatch_id = dispatches.id and ${OF_VEN})`;

/** Production's dispatches. Concurrent requests of VENs share one statement. */
export const venDispatches = (db: Queryable, clock: Clock): VenDispatches => {
  const calling = new Batcher<string, readonly VenDispatch[]>({
    async work(vens) {
      const since = new Date(clock.now().getTime() - LISTED_AFTER_END_MS);
      const { rows } = await db.query<VenDispatchRow>({
        name: "ven-dispatches",
        text: CALLING,
        values: [[...new Set(vens)], since],
      });
      const byVen = new Map<string, VenDispatch[]>(vens.map((ven) => [ven, []]));
      for (const row of rows) byVen.get(row.ven)?.push(fromRow(row));
      return vens.map((ven) => byVen.get(ven) ?? []);
    },
    atOnce: 2,
  });
  return { calling: ({ id }) => calling.add(id) };
};

const fromRow = (row: VenDispatchRow): VenDispatch => ({
  dispatch: dispatchFromRow(row),
  openadr: row.openadr,
  priority: row.priority,
});
