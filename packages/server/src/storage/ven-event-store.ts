import type { VenAcknowledgement, VenEvent } from "../domain/ven.js";
import type { VenEventStore } from "../operations/ven-ports.js";
import { listedColumns } from "./columns.js";
import type { Queryable } from "./database.js";
import { pageOf, pageParameters } from "./page.js";

export interface EventRow {
  readonly seq: number;
  readonly dispatch_id: string;
  readonly first_shown_at: Date;
  readonly shown_modification: number;
  readonly modification_shown_at: Date;
  readonly acknowledged_modification: number | null;
  readonly opt: VenAcknowledgement["opt"] | null;
  readonly response_code: string | null;
  readonly acknowledged_at: Date | null;
}

export const venEventColumns = listedColumns<EventRow>("ven_events", {
  seq: true,
  dispatch_id: true,
  first_shown_at: true,
  shown_modification: true,
  modification_shown_at: true,
  acknowledged_modification: true,
  opt: true,
  response_code: true,
  acknowledged_at: true,
});

export const venEventFromRow = (row: EventRow): VenEvent => ({
  dispatchId: row.dispatch_id,
  firstShownAt: row.first_shown_at,
  shownModification: row.shown_modification,
  modificationShownAt: row.modification_shown_at,
  acknowledged: acknowledgementOf(row),
});

const acknowledgementOf = (row: EventRow): VenAcknowledgement | null => {
  const { acknowledged_modification: modificationNumber, opt, response_code: responseCode, acknowledged_at: at } = row;
  // The database has all of them or none.
  if (modificationNumber === null || opt === null || responseCode === null || at === null) return null;
  return { modificationNumber, opt, responseCode, at };
};

export const venEventStore = (db: Queryable): VenEventStore => ({
  async ofVen(ven, page) {
    const { rows } = await db.query<EventRow>(
      `select * from ven_events where ven = $3 and ($1::bigint is null or seq < $1) order by seq desc limit $2`,
      [...pageParameters(page), ven],
    );
    return pageOf(rows, page, venEventFromRow);
  },
});
