import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import { calledAccounts, IS_NOT_OVER } from "../../dispatch/storage/dispatch-conditions.js";
import {
  DISPATCH_COLUMNS,
  type DispatchRow,
  dispatchFromRow,
  FEW_SITES_COLUMN,
  sitesColumn,
  type WholeRow,
  wholeDispatch,
} from "../../dispatch/storage/dispatch-row.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll, readFirst } from "../../platform/database/read.js";
import type { ProjectedSite } from "../domain/projection.js";
import type { ProjectedDispatch, ProjectionSources } from "../operations/projection-ports.js";

const programRow = selection("programs", ["id", "name", "program_type", "is_public"]);
const siteRow = selection("sites", ["id", "name", "customer_location_id"]);

type ClientRow = Row<"openadr3_clients", "name" | "account_id" | "site_ids" | "created_at"> & {
  readonly client_id: string;
  readonly ven_id: string;
};

type ProjectedRow = DispatchRow & Row<"programs", "openadr" | "longest_open_hours"> & { readonly seq: number };

const projectedFrom = (
  dispatch: Dispatch,
  row: Pick<ProjectedRow, "openadr" | "longest_open_hours" | "seq">,
): ProjectedDispatch => ({
  dispatch,
  signalLevel: row.openadr?.level ?? null,
  priority: row.seq,
  openHours: row.longest_open_hours,
});

const DISPATCHES = (sites: string) =>
  `select ${DISPATCH_COLUMNS}, ${sites}, dispatches.seq, programs.openadr, programs.longest_open_hours from dispatches join programs on programs.id = program_id`;

type AccountRow = { readonly account_id: string };

const WITH_VENS =
  "select distinct account_id from openadr3_clients where account_id is not null and revoked_at is null";

export const projectionSources = (db: Queryable): ProjectionSources => ({
  accountsOf: (ids) =>
    readAll(db, ({ account_id }: AccountRow) => account_id, {
      name: "openadr3-accounts-of",
      text: `select distinct account_id from (
               select id as account_id from accounts where id = any($1)
               union all
               select account_id from openadr3_clients where id = any($1)
               union all
               select account_id from sites where id = any($1)
               union all
               select account_id from meters join sites on sites.id = site_id where meters.id = any($1)
               union all
               -- Where sites were before.
               select account_id from openadr3_objects join openadr3_clients as clients on clients.id = client_id
               where object_type = 'RESOURCE' and source = 'site' and source_id = any($1)
                 and openadr3_objects.environment = 'production'
             ) as concerned
             where account_id in (${WITH_VENS}) order by account_id`,
      values: [ids],
    }),
  accountsWithVens: () => readAll(db, ({ account_id }: AccountRow) => account_id, `${WITH_VENS} order by account_id`),
  async dispatchesWithEvents() {
    const { rows } = await db.query<{ source_id: string }>(
      `select distinct source_id from openadr3_objects
       where environment = 'production' and object_type = 'EVENT' and source = 'dispatch' order by source_id`,
    );
    return rows.map(({ source_id }) => source_id);
  },
  programs: () =>
    readAll(db, programRow.camel, `select ${programRow.columns} from programs where not built_in order by seq`),
  async sitesOf(accountId) {
    const { rows } = await db.query<RowOf<typeof siteRow> & Pick<ProjectedSite, "meters">>(
      `select ${siteRow.columns}, coalesce((
         select json_agg(json_build_object('id', meters.id, 'name', meters.name) order by meters.seq)
         from meters where site_id = sites.id), '[]') as meters
       from sites where account_id = $1 order by seq`,
      [accountId],
    );
    return rows.map((row) => ({ ...siteRow.camel(row), meters: row.meters }));
  },
  async clientsOf(environment, accountIds) {
    const { rows } = await db.query<ClientRow>(
      `select clients.id as client_id, clients.name, account_id, ven.id as ven_id, site_ids, clients.created_at
       from openadr3_clients as clients
       join accounts on accounts.id = account_id and not disabled
       join openadr3_objects as ven on ven.environment = clients.environment and ven.object_type = 'VEN'
         and ven.client_id = clients.id
       where account_id = any($2) and clients.environment = $1 and revoked_at is null
       order by clients.seq`,
      [environment, accountIds],
    );
    return rows.map((row) => ({
      clientId: row.client_id,
      name: row.name,
      accountId: row.account_id ?? "",
      venId: row.ven_id,
      siteIds: row.site_ids,
      createdAt: row.created_at,
    }));
  },
  dispatch(id) {
    const fromRow = async (row: ProjectedRow & WholeRow) => projectedFrom(await wholeDispatch(db, row), row);
    return readFirst(db, fromRow, `${DISPATCHES(FEW_SITES_COLUMN)} where dispatches.id = $1`, [id]);
  },
  async dispatchesOf(accountId, now) {
    const { join } = calledAccounts("unnest(array[$2::text])", 1);
    const { rows } = await db.query<ProjectedRow>(
      `with standing as materialized (
         select id as standing_id from dispatches where authorized and notification_time <= $1 and ${IS_NOT_OVER} and end_time is distinct from $1
       )
       ${DISPATCHES(sitesColumn("and account_id = $2"))} join standing on standing_id = dispatches.id ${join} order by dispatches.seq`,
      [now, accountId],
    );
    return rows.map((row) => projectedFrom(dispatchFromRow(row), row));
  },
});
