import { lookAgainAtOwed } from "../../dispatch/storage/notice-store.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { matchesOne, readFirst, readPage } from "../../platform/database/read.js";
import type { Ven } from "../domain/ven.js";
import type { VenStore } from "../operations/ven-ports.js";

const venRow = selection("vens", [
  "id",
  "account_id",
  "ven_id",
  "environment",
  "site_ids",
  "push_url",
  "push_ca",
  "target_resource",
  "target_ven_id",
  "market_context",
  "poll_interval_seconds",
  "created_at",
  "last_poll_at",
  "last_acknowledgement_at",
]);
export type VenRow = RowOf<typeof venRow>;

export const venColumns = venRow.columns;

export const venFromRow = (row: VenRow): Ven => {
  const { pushUrl: url, pushCa: ca, ...ven } = venRow.camel(row);
  return { ...ven, push: url === null ? null : { url, ca } };
};

export const venStore = (db: Queryable): VenStore => ({
  insert: (ven) =>
    matchesOne(db, {
      text: `insert into vens (id, account_id, ven_id, environment, site_ids, push_url, push_ca, target_resource,
         target_ven_id, market_context, poll_interval_seconds, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       on conflict (ven_id) where deleted_at is null do nothing`,
      values: [ven.id, ven.accountId, ven.venId, ven.environment, ...settingsOf(ven), ven.createdAt],
    }),
  find: (id) => readFirst(db, venFromRow, "select * from vens where id = $1 and deleted_at is null", [id]),
  // Not `for update`: that would block writers of its shown events.
  lock: (id) =>
    readFirst(db, venFromRow, "select * from vens where id = $1 and deleted_at is null for no key update", [id]),
  async save(ven) {
    await db.query(
      `update vens set site_ids = $2, push_url = $3, push_ca = $4, target_resource = $5, target_ven_id = $6,
         market_context = $7, poll_interval_seconds = $8
       where id = $1`,
      [ven.id, ...settingsOf(ven)],
    );
  },
  list: (accountId, page) =>
    readPage(db, page, venFromRow, {
      text: `select * from vens where account_id = $3 and deleted_at is null and ($1::bigint is null or seq > $1)
       order by seq limit $2`,
      values: [accountId],
    }),
  async remove(id, now) {
    const removed = await readFirst(db, venFromRow, {
      text: "update vens set deleted_at = $2 where id = $1 and deleted_at is null returning *",
      values: [id, now],
    });
    if (removed !== null) await lookAgainAtOwed(db, removed.accountId, now);
    return removed;
  },
});

const settingsOf = ({
  siteIds,
  push,
  targetResource,
  targetVenId,
  marketContext,
  pollIntervalSeconds,
}: Ven): unknown[] => [siteIds, push?.url, push?.ca, targetResource, targetVenId, marketContext, pollIntervalSeconds];
