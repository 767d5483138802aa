import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type JsonOf, jsonMembers } from "../../platform/database/json-members.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import { readAll, readFirst, readPage } from "../../platform/database/read.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { inPieces, MOST_AT_ONCE } from "../../platform/in-pieces.js";
import { mapInTurns } from "../../platform/turns.js";
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
const identityRow = selection("sites", ["account_id", "name", "customer_location_id"]);
/** In the order of the columns. */
const insertedMembers = [
  "id",
  "accountId",
  "name",
  "customerLocationId",
  "dispatchGroup",
  "timezone",
  "latitude",
  "longitude",
  "createdAt",
  "displayedSince",
  "isSimulated",
] as const;
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

interface LockedRow extends MeterRow {
  readonly account_id: string;
  readonly site: number;
  readonly meter: number;
}

/** Numbers of those meters that ever had a reading. */
type ReportingMeters = (
  meters: ReadonlyArray<{ readonly site: number; readonly meter: number }>,
) => Promise<ReadonlySet<number>>;

export const siteStore = (db: Queryable, reporting: ReportingMeters): SiteStore => ({
  async insert(sites) {
    await db.query(
      `insert into sites
         (id, account_id, name, customer_location_id, dispatch_group, timezone, latitude, longitude,
          created_at, display_enabled_at, is_simulated)
       select id, account_id, name, customer_location_id, dispatch_group, timezone, latitude, longitude, created_at,
         display_enabled_at, is_simulated
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[],
         $8::float8[], $9::timestamptz[], $10::timestamptz[], $11::boolean[]) with ordinality as given (id, account_id,
         name, customer_location_id, dispatch_group, timezone, latitude, longitude, created_at, display_enabled_at,
         is_simulated, place)
       order by place`,
      valuesOf(sites, ...insertedMembers),
    );
    await this.insertMeters(
      sites.flatMap(({ id: siteId, createdAt, meters }) => meters.map((meter) => ({ ...meter, siteId, createdAt }))),
    );
  },
  find: (id, within = null) =>
    readFirst(db, fromRow, `select ${columns} from sites where id = $1 and ($2::text is null or account_id = $2)`, [
      id,
      within,
    ]),
  lock: (id) => readFirst(db, fromRow, `select ${columns} from sites where id = $1 for update`, [id]),
  lockAll: (ids) =>
    readAll(db, fromRow, `select ${columns} from sites where id = any($1) order by id for update`, [ids]),
  async save(sites) {
    await db.query(
      `update sites set name = given.name, customer_location_id = given."customerLocationId",
         dispatch_group = given."dispatchGroup", timezone = given.timezone, latitude = given.latitude,
         longitude = given.longitude, display_enabled_at = given."displayedSince",
         measured_meters = given."measuredMeters"
       from jsonb_to_recordset($1::jsonb) as given (id text, name text, "customerLocationId" text, "dispatchGroup" text,
         timezone text, latitude float8, longitude float8, "displayedSince" timestamptz, "measuredMeters" text[])
       where sites.id = given.id`,
      [JSON.stringify(sites)],
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
  async identitiesOf(accountIds) {
    const { rows } = await db.query<RowOf<typeof identityRow>>(
      `select ${identityRow.columns} from sites where account_id = any($1)`,
      [accountIds],
    );
    return mapInTurns(rows, identityRow.camel);
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
  async insertMeters(meters) {
    if (meters.length === 0) return;
    await db.query(
      `insert into meters (id, site_id, name, asset_type, kwh_means, created_at)
       select id, site_id, name, asset_type, kwh_means, created_at
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[]) with ordinality
         as given (id, site_id, name, asset_type, kwh_means, created_at, place)
       order by place`,
      valuesOf(meters, "id", "siteId", "name", "assetType", "kwhMeans", "createdAt"),
    );
  },
  async lockMeters(ids) {
    const meters = await readAll(db, (row: LockedRow) => row, {
      text: `select meters.id, meters.name, asset_type, kwh_means, account_id, sites.key as site, meters.key as meter
       from meters join sites on sites.id = site_id where meters.id = any($1) order by meters.id for update of meters`,
      values: [ids],
    });
    const withReadings = await reporting(meters);
    return meters.map((row) => ({
      ...meterRow.camel(row),
      accountId: row.account_id,
      hasReadings: withReadings.has(row.meter),
    }));
  },
  metersBeside: (id) =>
    readAll(db, ({ name }: Pick<MeterRow, "name">) => name, {
      text: "select other.name from meters join meters as other using (site_id) where meters.id = $1 and other.id <> $1",
      values: [id],
    }),
  async saveMeters(meters) {
    await db.query(
      `with saved as (
         update meters set name = given.name, asset_type = given.asset_type, kwh_means = given.kwh_means
         from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as given (id, name, asset_type, kwh_means)
         where meters.id = given.id returning site_id
       )
       update accounts set kwh_stamp = kwh_stamp + 1
       where id in (select account_id from saved join sites on sites.id = site_id)`,
      valuesOf(meters, "id", "name", "assetType", "kwhMeans"),
    );
  },
});
