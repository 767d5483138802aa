import { namedColumns, type RowOfNamed } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type JsonOf, jsonMembers } from "../../platform/database/json-members.js";
import { MOST_AT_ONCE } from "../../platform/in-pieces.js";
import type { Dispatch } from "../domain/dispatch.js";
import { columnOf } from "../domain/dispatch-members.js";

const members = namedColumns("dispatches", columnOf);
const program = namedColumns("dispatches", {
  id: "program_id",
  name: "program_name",
  timezone: "program_timezone",
  market: "program_market",
  programType: "program_type",
});

const siteMembers = jsonMembers("dispatch_sites", {
  id: "site_id",
  accountId: "account_id",
  name: "name",
  customerLocationId: "customer_location_id",
  dispatchGroup: "dispatch_group",
  commitmentKw: "commitment_kw",
});
export type DispatchRow = RowOfNamed<typeof members> &
  RowOfNamed<typeof program> & { readonly sites?: ReadonlyArray<JsonOf<typeof siteMembers>> | null };

const sitesIn = (where: string) => `(
  select json_agg(json_build_object(${siteMembers.sql}) order by position)
  from dispatch_sites where dispatch_id = dispatches.id ${where}
)`;

/** The sites of a dispatch in the order given at creation; `where` may limit them to an account's. */
export const sitesColumn = (where = "") => `${sitesIn(where)} as sites`;

/** The same for a dispatch that is then read with `wholeDispatch`: null for one with many sites. */
export const FEW_SITES_COLUMN = `case when coalesce(called_sites, 0) <= ${MOST_AT_ONCE} then ${sitesIn("")} end as sites,
  called_sites > ${MOST_AT_ONCE} as has_many_sites`;

export type WholeRow = DispatchRow & { readonly has_many_sites: boolean | null };

/** Sites in a row. The JSON of all of a large dispatch takes long to read in one step. */
const SITES_A_ROW = 500;

/** The dispatch of a row with all its sites; they never change. */
export const wholeDispatch = async (db: Queryable, row: WholeRow): Promise<Dispatch> => {
  if (row.has_many_sites !== true) return dispatchFromRow(row);
  const { rows } = await db.query<Required<Pick<DispatchRow, "sites">>>(
    `select json_agg(json_build_object(${siteMembers.sql}) order by position) as sites
     from dispatch_sites where dispatch_id = $1 group by position / ${SITES_A_ROW} order by position / ${SITES_A_ROW}`,
    [row.id],
  );
  return dispatchFromRow({ ...row, sites: rows.flatMap(({ sites }) => sites ?? []) });
};

/** Without the sites. */
export const DISPATCH_COLUMNS = `${members.columns}, ${program.columns}`;

export const dispatchColumns = (where = "") => `${DISPATCH_COLUMNS}, ${sitesColumn(where)}`;

export const dispatchFromRow = (row: DispatchRow): Dispatch => ({
  ...members.named(row),
  program: program.named(row),
  sites: row.sites ?? [],
});
