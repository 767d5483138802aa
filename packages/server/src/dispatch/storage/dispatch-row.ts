import { type RowOf, selection } from "../../platform/database/columns.js";
import { type JsonOf, jsonMembers } from "../../platform/database/json-members.js";
import type { Dispatch } from "../domain/dispatch.js";

const dispatchRow = selection("dispatches", [
  "id",
  "program_id",
  "program_name",
  "program_timezone",
  "program_market",
  "program_type",
  "test",
  "authorized",
  "start_time",
  "end_time",
  "notification_time",
  "modification_number",
  "created_at",
  "changed_at",
  "void_reason",
  "is_record",
  "metadata",
]);

const siteMembers = jsonMembers("dispatch_sites", {
  id: "site_id",
  accountId: "account_id",
  name: "name",
  customerLocationId: "customer_location_id",
  dispatchGroup: "dispatch_group",
  commitmentKw: "commitment_kw",
});
export type DispatchRow = RowOf<typeof dispatchRow> & {
  readonly sites?: ReadonlyArray<JsonOf<typeof siteMembers>> | null;
};

/** The sites of a dispatch in the order given at creation; `where` may limit them to an account's. */
export const sitesColumn = (where = "") => `(
  select json_agg(json_build_object(${siteMembers.sql}) order by position)
  from dispatch_sites where dispatch_id = dispatches.id ${where}
) as sites`;

/** Without the sites. */
export const DISPATCH_COLUMNS = dispatchRow.columns;

export const dispatchColumns = (where = "") => `${DISPATCH_COLUMNS}, ${sitesColumn(where)}`;

export const dispatchFromRow = (row: DispatchRow): Dispatch => {
  const {
    programId: id,
    programName: name,
    programTimezone: timezone,
    programMarket: market,
    programType,
    startTime: start,
    endTime: end,
    notificationTime: notification,
    ...dispatch
  } = dispatchRow.camel(row);
  const program = { id, name, timezone, market, programType };
  return { ...dispatch, program, start, end, notification, sites: row.sites ?? [] };
};
