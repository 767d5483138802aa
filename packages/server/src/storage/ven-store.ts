import type { Environment } from "../domain/api-key.js";
import type { TargetResource, Ven } from "../domain/ven.js";
import type { VenStore } from "../operations/ven-ports.js";
import { listedColumns } from "./columns.js";
import type { Queryable } from "./database.js";
import { pageOf, pageParameters } from "./page.js";

export interface VenRow {
  readonly seq: number;
  readonly id: string;
  readonly account_id: string;
  readonly ven_id: string;
  readonly environment: Environment;
  readonly site_ids: readonly string[] | null;
  readonly push_url: string | null;
  readonly push_ca: string | null;
  readonly target_resource: TargetResource;
  readonly target_ven_id: boolean;
  readonly market_context: Ven["marketContext"];
  readonly poll_interval_seconds: number;
  readonly created_at: Date;
  readonly deleted_at: Date | null;
  readonly last_poll_at: Date | null;
  readonly last_acknowledgement_at: Date | null;
}

export const venColumns = listedColumns<VenRow>("vens", {
  seq: true,
  id: true,
  account_id: true,
  ven_id: true,
  environment: true,
  site_ids: true,
  push_url: true,
  push_ca: true,
  target_resource: true,
  target_ven_id: true,
  market_context: true,
  poll_interval_seconds: true,
  created_at: true,
  deleted_at: true,
  last_poll_at: true,
  last_acknowledgement_at: true,
});

export const venFromRow = (row: VenRow): Ven => ({
  id: row.id,
  accountId: row.account_id,
  venId: row.ven_id,
  environment: row.environment,
  siteIds: row.site_ids,
  push: row.push_url === null ? null : { url: row.push_url, ca: row.push_ca },
  targetResource: row.target_resource,
  targetVenId: row.target_ven_id,
  marketContext: row.market_context,
  pollIntervalSeconds: row.poll_interval_seconds,
  createdAt: row.created_at,
  lastPollAt: row.last_poll_at,
  lastAcknowledgementAt: row.last_acknowledgement_at,
});

export const venStore = (db: Queryable): VenStore => ({
  async insert(ven) {
    const { rowCount } = await db.query(
      `insert into vens (id, account_id, ven_id, environment, site_ids, push_url, push_ca, target_resource,
         target_ven_id, market_context, poll_interval_seconds, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       on conflict (ven_id) where deleted_at is null do nothing`,
      [ven.id, ven.accountId, ven.venId, ven.environment, ...settingsOf(ven), ven.createdAt],
    );
    return rowCount === 1;
  },
  async find(id) {
    const { rows } = await db.query<VenRow>("select * from vens where id = $1 and deleted_at is null", [id]);
    return rows[0] === undefined ? null : venFromRow(rows[0]);
  },
  async lock(id) {
    const { rows } = await db.query<VenRow>(
      // Not `for update`: that would hold up whoever writes what it was shown.
      "select * from vens where id = $1 and deleted_at is null for no key update",
      [id],
    );
    return rows[0] === undefined ? null : venFromRow(rows[0]);
  },
  async save(ven) {
    await db.query(
      `update vens set site_ids = $2, push_url = $3, push_ca = $4, target_resource = $5, target_ven_id = $6,
         market_context = $7, poll_interval_seconds = $8
       where id = $1`,
      [ven.id, ...settingsOf(ven)],
    );
  },
  async list(accountId, page) {
    const { rows } = await db.query<VenRow>(
      `select * from vens where account_id = $3 and deleted_at is null and ($1::bigint is null or seq > $1)
       order by seq limit $2`,
      [...pageParameters(page), accountId],
    );
    return pageOf(rows, page, venFromRow);
  },
  async remove(id, now) {
    const { rows } = await db.query<VenRow>(
      "update vens set deleted_at = $2 where id = $1 and deleted_at is null returning *",
      [id, now],
    );
    return rows[0] === undefined ? null : venFromRow(rows[0]);
  },
});

const settingsOf = (ven: Ven): unknown[] => [
  ven.siteIds,
  ven.push?.url,
  ven.push?.ca,
  ven.targetResource,
  ven.targetVenId,
  ven.marketContext,
  ven.pollIntervalSeconds,
];
