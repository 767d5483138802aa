import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readPage } from "../../platform/database/read.js";
import type { VenAcknowledgement, VenEvent } from "../domain/ven.js";
import type { VenEventStore } from "../operations/ven-ports.js";

const shownRow = selection("ven_events", [
  "dispatch_id",
  "first_shown_at",
  "shown_modification",
  "modification_shown_at",
]);
const answerRow = selection("ven_events", ["acknowledged_modification", "opt", "response_code", "acknowledged_at"]);
export type EventRow = RowOf<typeof shownRow> & RowOf<typeof answerRow>;

export const venEventColumns = `${shownRow.columns}, ${answerRow.columns}`;

export const venEventFromRow = (row: EventRow): VenEvent => ({
  ...shownRow.camel(row),
  acknowledged: acknowledgementOf(row),
});

const acknowledgementOf = (row: EventRow): VenAcknowledgement | null => {
  const { acknowledged_modification: modificationNumber, opt, response_code: responseCode, acknowledged_at: at } = row;
  // The database has all of them or none.
  if (modificationNumber === null || opt === null || responseCode === null || at === null) return null;
  return { modificationNumber, opt, responseCode, at };
};

export const venEventStore = (db: Queryable): VenEventStore => ({
  ofVen: (ven, page) =>
    readPage(db, page, venEventFromRow, {
      text: `select * from ven_events where ven = $3 and ($1::bigint is null or seq < $1) order by seq desc limit $2`,
      values: [ven],
    }),
});
