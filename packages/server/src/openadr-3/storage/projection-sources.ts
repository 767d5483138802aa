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
import { lockedNotices } from "../../dispatch/storage/locked-notices.js";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { DueWork } from "../../platform/database/due-work.js";
import { firstOf } from "../../platform/database/first-of.js";
import type { ProjectedSite } from "../domain/projection.js";
import type { ProjectedDispatch, ProjectionSources } from "../operations/projection-ports.js";

/** Notified when something that objects follow is committed. */
export const STALE_CHANNEL = "openadr3_stale";

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

/** Notices that events of their dispatches do not follow yet. */
const IS_UNFOLLOWED = "projected_at is null and state <> 'dropped'";
const IS_DUE = `${IS_UNFOLLOWED} and due_at <= $1`;
const firstUnfollowed = (schema: "" | "sandbox."): string =>
  `select due_at from ${schema}notices where ${IS_UNFOLLOWED} order by due_at limit 1`;
/** What objects do not follow yet. */
export const dueProjections: DueWork = {
  name: "objects of OpenADR 3",
  next: `least((select timestamptz 'epoch' from openadr3_stale limit 1), (${firstUnfollowed("")}),
    (${firstUnfollowed("sandbox.")}))`,
};
/** Few at once: others take turns. */
const DISPATCHES_AT_ONCE = 50;

export const projectionSources = (db: Queryable): ProjectionSources => ({
  takeTurn: () => takeTurn(db, "openadr3Projection"),
  async takePrograms() {
    const { rowCount } = await db.query("delete from openadr3_stale where kind = 'program'");
    return rowCount !== null && rowCount > 0;
  },
  async takeAccount(except) {
    const { rows } = await db.query<Row<"openadr3_stale", "id">>(
      `delete from openadr3_stale where kind = 'account' and id = (
         select id from openadr3_stale where kind = 'account' and id <> all($1) order by seq limit 1)
       returning id`,
      [except],
    );
    return firstOf(rows, ({ id }) => id);
  },
  async lapsingDispatches(now) {
    // Those of accounts that are disabled are not prolonged (G50).
    const { rows } = await db.query<{ id: string }>({
      name: "openadr3-lapsing-dispatches",
      text: `select distinct dispatches.id from dispatches
             join programs on programs.id = dispatches.program_id
             join openadr3_objects as event on event.environment = 'production' and event.object_type = 'EVENT'
               and event.source = 'dispatch' and event.source_id = dispatches.id
             join openadr3_objects as ven on ven.id = event.ven_id
             join openadr3_clients as clients on clients.id = ven.client_id and clients.revoked_at is null
             join accounts on accounts.id = clients.account_id and not disabled
             where dispatches.end_time is null and dispatches.authorized
               and event.transpires_at < $1::timestamptz + longest_open_hours * interval '30 minutes'`,
      values: [now],
    });
    return rows.map(({ id }) => id);
  },
  async dueDispatches(now, except) {
    const { rows } = await db.query<Row<"notices", "dispatch_id">>({
      name: "openadr3-due-dispatches",
      text: `select dispatch_id from notices where ${IS_DUE} and dispatch_id <> all($2)
             group by dispatch_id order by min(seq) limit ${DISPATCHES_AT_ONCE}`,
      values: [now, except],
    });
    return rows.map(({ dispatch_id }) => dispatch_id);
  },
  async markFollowed(dispatchId, now) {
    await db.query(
      `with locked as materialized (${lockedNotices(`${IS_DUE} and dispatch_id = $2`)})
       update notices set projected_at = $1 from locked where notices.seq = locked.seq`,
      [now, dispatchId],
    );
  },
  async programs() {
    const { rows } = await db.query<RowOf<typeof programRow>>(
      `select ${programRow.columns} from programs where not built_in order by seq`,
    );
    return rows.map(programRow.camel);
  },
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
  async dispatch(id) {
    const { rows } = await db.query<ProjectedRow & WholeRow>(
      `${DISPATCHES(FEW_SITES_COLUMN)} where dispatches.id = $1`,
      [id],
    );
    return firstOf(rows, async (row) => projectedFrom(await wholeDispatch(db, row), row));
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
