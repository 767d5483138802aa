import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type JsonOf, jsonMembers } from "../../platform/database/json-members.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import { readAll, readFirst, readPage } from "../../platform/database/read.js";
import { inPieces, MOST_AT_ONCE } from "../../platform/in-pieces.js";
import type { Site } from "../domain/site.js";
import type { DispatchableSite, SiteStore } from "../operations/portfolio-stores.js";

const siteRow = selection("sites", [
  "id",
  "account_id",
  "name",
  "customer_location_id",
  "dispatch_group",
  "timezone",
  "latitude",
  "longitude",
  "created_at",
  "display_enabled_at",
  "measured_meters",
  "is_simulated",
]);
const meterRow = selection("meters", ["id", "name", "asset_type", "kwh_means"]);
type MeterRow = RowOf<typeof meterRow>;
const meterMembers = jsonMembers("meters", {
  id: "id",
  name: "name",
  assetType: "asset_type",
  kwhMeans: "kwh_means",
});
type SiteRow = Placed<RowOf<typeof siteRow>> & { readonly meters: ReadonlyArray<JsonOf<typeof meterMembers>> | null };

const fromRow = (row: SiteRow): Site => {
  const { displayEnabledAt: displayedSince, ...site } = siteRow.camel(row);
  return { ...site, displayedSince, meters: row.meters ?? [] };
};

const columns = `sites.*, (
  select json_agg(json_build_object(${meterMembers.sql}) order by seq)
  from meters where site_id = sites.id
) as meters`;

const dispatchableRow = selection("sites", [
  "id",
  "account_id",
  "name",
  "customer_location_id",
  "dispatch_group",
  "is_simulated",
]);
type DispatchableRow = RowOf<typeof dispatchableRow> & { readonly is_disabled: boolean };

/** In order of their ids: those who lock the same sites do not wait for each other in a circle. */
const dispatchableSites = (db: Queryable, ids: readonly string[], lock = ""): Promise<DispatchableSite[]> =>
  inPieces(ids.length > MOST_AT_ONCE ? ids.toSorted() : ids, (some) =>
    readAll(db, (row: DispatchableRow) => ({ ...dispatchableRow.camel(row), isDisabled: row.is_disabled }), {
      text: `select ${dispatchableRow.columns}, accounts.disabled as is_disabled
       from sites join accounts on accounts.id = account_id where sites.id = any($1) order by sites.id ${lock}`,
      values: [some],
    }),
  );

const lockedMeterFrom = (row: MeterRow & { account_id: string; has_readings: boolean }) => ({
  ...meterRow.camel(row),
  accountId: row.account_id,
  hasReadings: row.has_readings,
});

export const siteStore = (db: Queryable): SiteStore => ({
  async insert(site) {
    const { id, accountId, name, customerLocationId, dispatchGroup, timezone, createdAt, displayedSince } = site;
    const { latitude, longitude, isSimulated } = site;
    const described = [id, accountId, name, customerLocationId, dispatchGroup, timezone, latitude, longitude];
    await db.query(
      `insert into sites
         (id, account_id, name, customer_location_id, dispatch_group, timezone, latitude, longitude,
          created_at, display_enabled_at, is_simulated)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [...described, createdAt, displayedSince, isSimulated],
    );
    for (const meter of site.meters) await this.insertMeter(id, meter, createdAt);
  },
  find: (id, within = null) =>
    readFirst(db, fromRow, `select ${columns} from sites where id = $1 and ($2::text is null or account_id = $2)`, [
      id,
      within,
    ]),
  lock: (id) => readFirst(db, fromRow, `select ${columns} from sites where id = $1 for update`, [id]),
  async save({ id, name, customerLocationId, dispatchGroup, timezone, latitude, longitude, ...site }) {
    await db.query(
      `update sites set name = $2, customer_location_id = $3, dispatch_group = $4, timezone = $5, latitude = $6,
         longitude = $7, display_enabled_at = $8, measured_meters = $9
       where id = $1`,
      [
        id,
        name,
        customerLocationId,
        dispatchGroup,
        timezone,
        latitude,
        longitude,
        site.displayedSince,
        site.measuredMeters,
      ],
    );
  },
  list: (accountId, page) =>
    readPage(db, page, fromRow, {
      text: `select ${columns} from sites
       where account_id = $3 and ($1::bigint is null or seq > $1) order by seq limit $2`,
      values: [accountId],
    }),
  async search({ accountId, dispatchGroup, located, search }, page) {
    const { rows } = await db.query<SiteRow & { account_name: string }>(
      `select ${columns}, accounts.name as account_name from sites join accounts on accounts.id = account_id
       where ($1::bigint is null or sites.seq > $1) and ($3::text is null or account_id = $3)
         and ($4::text is null or dispatch_group = $4)
         and ($5::text is null or strpos(lower(concat_ws(e'\\n', sites.name, customer_location_id, sites.id)), lower($5)) > 0)
         and ($6::boolean is null or (latitude is not null) = $6)
       order by sites.seq limit $2`,
      [...pageParameters(page), accountId, dispatchGroup, search, located],
    );
    return pageOf(rows, page, (row) => ({ site: fromRow(row), accountName: row.account_name }));
  },
  ofAccount: (accountId) =>
    readAll(db, fromRow, `select ${columns} from sites where account_id = $1 order by seq`, [accountId]),
  named: (accountIds, { names, customerLocationIds }) =>
    readAll(db, fromRow, {
      text: `select ${columns} from sites
       where account_id = any($1) and (name = any($2) or customer_location_id = any($3)) order by seq`,
      values: [accountIds, names, customerLocationIds],
    }),
  async identitiesOf(accountId) {
    const { rows } = await db.query<Pick<SiteRow, "name" | "customer_location_id">>(
      "select name, customer_location_id from sites where account_id = $1",
      [accountId],
    );
    return rows.map(({ name, customer_location_id }) => ({ name, customerLocationId: customer_location_id }));
  },
  async displayed(accountId) {
    const { rows } = await db.query<Pick<SiteRow, "id">>(
      "select id from sites where account_id = $1 and display_enabled_at is not null",
      [accountId],
    );
    return new Set(rows.map(({ id }) => id));
  },
  async findDispatchable(ids) {
    return dispatchableSites(db, ids);
  },
  async lockDispatchable(ids) {
    // Share locks, in order: dispatches do not wait for each other, but they and availability blocks do.
    return dispatchableSites(db, ids, "for share of sites");
  },
  async insertMeter(siteId, meter, createdAt) {
    await db.query(
      "insert into meters (id, site_id, name, asset_type, kwh_means, created_at) values ($1, $2, $3, $4, $5, $6)",
      [meter.id, siteId, meter.name, meter.assetType, meter.kwhMeans, createdAt],
    );
  },
  lockMeter: (id) =>
    readFirst(db, lockedMeterFrom, {
      text: `select meters.id, meters.name, asset_type, kwh_means, account_id, (
         exists (select from telemetry_hours as stored where stored.site = sites.key and stored.meter = meters.key)
         or exists (select from telemetry_days as packed where packed.site = sites.key and packed.meter = meters.key)
       ) as has_readings
       from meters join sites on sites.id = site_id where meters.id = $1 for update of meters`,
      values: [id],
    }),
  metersBeside: (id) =>
    readAll(db, ({ name }: Pick<MeterRow, "name">) => name, {
      text: "select other.name from meters join meters as other using (site_id) where meters.id = $1 and other.id <> $1",
      values: [id],
    }),
  async saveMeter({ id, name, assetType, kwhMeans }) {
    await db.query(
      `with saved as (update meters set name = $2, asset_type = $3, kwh_means = $4 where id = $1 returning site_id)
       update accounts set kwh_stamp = kwh_stamp + 1 from saved join sites on sites.id = site_id
       where accounts.id = account_id`,
      [id, name, assetType, kwhMeans],
    );
  },
});
