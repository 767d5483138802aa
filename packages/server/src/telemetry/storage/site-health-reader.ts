import { CELL_SECONDS, CELLS_PER_HOUR, hourOf } from "@curtail/measure";
import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import type { SiteHealth, SiteHealthReader } from "../operations/check-telemetry.js";
import { CANNOT_BE_MEASURED, IS_OVERDUE, IS_SILENT, NEWEST_READING } from "./stale-telemetry.js";

type HealthRow = Placed<Row<"sites", "account_id">> &
  Row<"sites", "name"> & {
    readonly account_name: string;
    readonly site_id: string;
    readonly meters: number;
    readonly stale_meters: number;
    readonly last_reading_at: Date | null;
    readonly cells: number;
    readonly in_dispatch: boolean;
  };

const fromRow = ({ seq: _seq, cells, in_dispatch: isInDispatch, ...row }: HealthRow): SiteHealth => ({
  ...camel(row),
  lastHour: row.meters === 0 ? null : cells / (row.meters * CELLS_PER_HOUR),
  isInDispatch,
});

/**
 * Scans sites in order of creation, one at a time, so that a full page ends the scan. Cells of the last hour, at most
 * two rows per meter, are counted for the page only. A page of 500 of 1,000 sites takes 0.2 s.
 */
const HEALTH = `
  with page as materialized (
    select sites.seq, sites.key, sites.id, sites.name, account_id, state.*
    from sites cross join lateral (
      select count(*) as meters, max(newest.at) as last_reading_at, ${CANNOT_BE_MEASURED} as is_stale,
        case when ${IS_OVERDUE} then count(*) else count(*) filter (where ${IS_SILENT}) end as stale_meters
      from meters ${NEWEST_READING} where meters.site_id = sites.id
    ) as state
    where not sites.is_simulated and ($2::bigint is null or sites.seq > $2) and ($4::boolean is null or is_stale = $4)
    order by sites.seq limit $3
  )
  select page.seq, page.id as site_id, page.name, account_id, accounts.name as account_name, meters, stale_meters,
    last_reading_at, (
      select count(cell.kw)
      from meters join telemetry_hours as hours on hours.site = page.key and hours.meter = meters.key
      cross join lateral unnest(hours.kw) with ordinality as cell (kw, nth)
      where meters.site_id = page.id and hours.hour between $5 and $6
        and hours.hour * ${CELLS_PER_HOUR} + array_lower(hours.kw, 1) + cell.nth - 1 between $7 and $8
    ) as cells, exists (
      select from dispatch_sites join dispatches on dispatches.id = dispatch_id
      where dispatch_sites.site_id = page.id and authorized and start_time <= $1 and (end_time is null or end_time >= $1)
    ) as in_dispatch
  from page join accounts on accounts.id = account_id order by page.seq`;

export const siteHealthReader = (db: Queryable): SiteHealthReader => ({
  async list({ now, isStale }, page) {
    const last = Math.floor(now.getTime() / 1000 / CELL_SECONDS);
    const first = last - CELLS_PER_HOUR + 1;
    const { rows } = await db.query<HealthRow>(HEALTH, [
      now,
      ...pageParameters(page),
      isStale,
      hourOf(first),
      hourOf(last),
      first,
      last,
    ]);
    return pageOf(rows, page, fromRow);
  },
});
