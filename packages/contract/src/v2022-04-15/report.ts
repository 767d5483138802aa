import Type, { type Static } from "typebox";
import { MAX_REPORT_ROWS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import {
  accountName,
  id,
  integer,
  nullable,
  number,
  programName,
  ratio,
  siteName,
  string,
  withoutExample,
} from "../values.js";
import { tableFiles } from "./performance.js";

const count = (description: string, example: number) => integer(description, example);
const nullableRatio = (description: string, example: number) => nullable(ratio(description, example));
const nullableKwh = (description: string, example: number) => nullable(number(`${description}, in kWh.`, example));

/** A row of a report: calls of a site, an account or a program. */
export const PerformanceReportRow = Type.Object(
  {
    site_id: nullable(id("site", "Identifier of the site; null unless the row is about one.")),
    site_name: nullable(siteName),
    account_id: nullable(id("account", "Identifier of the account; null if the row is about several.")),
    account_name: nullable(accountName),
    program_id: nullable(id("program", "Identifier of the program; null unless the row is about one.")),
    program_name: nullable(programName),
    dispatches: count("Dispatches that called the sites.", 14),
    calls: count("Calls: each site of each dispatch counts.", 28),
    measured: count(
      "Calls with a final result that are neither cancelled nor voided. The figures below are theirs.",
      25,
    ),
    without_baseline: count("Calls with a final result, but without a baseline.", 1),
    cancelled: count("Calls of cancelled dispatches, which are not judged.", 1),
    voided: count("Calls of dispatches that were voided after their end.", 0),
    not_final: count("Calls without a final result yet.", 1),
    paid_elsewhere: count("Calls of which another dispatch that overlaps is paid for some of the energy.", 0),
    call_hours: number("Length of the measured calls, in hours.", 50),
    paid_elsewhere_hours: number(
      "How much of `call_hours` another dispatch that overlaps is paid for, in hours. What was delivered in it counts in the energies of both dispatches.",
      0,
    ),
    performance: nullableRatio(
      "Sum of mean reductions × time divided by sum of commitments × time, over calls with both; never a mean of ratios.",
      0.97,
    ),
    lowest_performance: nullableRatio("Lowest performance of a call.", 0.61),
    highest_performance: nullableRatio("Highest performance of a call.", 1.2),
    delivered_share: nullableRatio(
      "Delivered divided by committed energy, over calls with both: intervals without readings count as not delivered.",
      0.95,
    ),
    delivered_energy_kwh: nullableKwh("Delivered energy: sum of the reductions in the received intervals", 11_900),
    delivered_energy_floored_kwh: nullableKwh("Delivered energy, with intervals below 0 counted as 0", 11_950),
    delivered_energy_capped_kwh: nullableKwh(
      "Delivered energy, with each interval counted up to the commitment",
      11_400,
    ),
    committed_energy_kwh: nullableKwh("Committed energy", 12_500),
    coverage: nullableRatio("Received 30-second intervals divided by expected ones.", 0.98),
    judged: count("Calls with a performance status other than `grey`.", 24),
    share_on_commitment: nullableRatio("Share of those with the status `green` or `blue`.", 0.875),
    availability: nullableRatio(
      "Share of the period in which the sites of the row had no availability block, as recorded now.",
      0.99,
    ),
  },
  {
    $id: "PerformanceReportRow",
    description: "What calls of a period delivered together. null means unknown, never zero.",
  },
);
export type PerformanceReportRow = Static<typeof PerformanceReportRow>;

const BY = ["site", "account", "program"] as const;

/** The first members of a report. */
export const reportedPeriod = {
  from: Type.String({ description: "First local day of the period.", examples: ["2026-06-01"] }),
  to: Type.String({ description: "Last local day of the period.", examples: ["2026-09-30"] }),
  by: Type.Enum([...BY], { description: "What each row is about." }),
};

/** Where the rows of a reply end. */
export const nextRows = nullable(
  string("`cursor` of the next page of rows; null on the last page. `total` is of the rows of all pages.", "dGRlcG90"),
);

/** Which rows a reply has. */
export const rowsQuery = {
  cursor: Type.Optional(
    withoutExample(Type.String({ description: "`next_cursor` of the previous page. Default: the first page." })),
  ),
  limit: Type.Optional(
    integer(`Maximum number of rows on the page. Default: 2,000.`, 100, {
      minimum: 1,
      maximum: MAX_REPORT_ROWS,
    }),
  ),
};

export const PerformanceReport = Type.Object(
  {
    ...reportedPeriod,
    rows: Type.Array(PerformanceReportRow, { description: "Rows of the page, in order of their names." }),
    total: PerformanceReportRow,
    next_cursor: nextRows,
  },
  { $id: "PerformanceReport", description: "What sites delivered in the dispatches of a period." },
);
export type PerformanceReport = Static<typeof PerformanceReport>;

const date = (description: string, example: string) =>
  Type.String({ format: "date", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description, examples: [example] });

/** Which calls a report is about. */
export const reportFilters = {
  from: date(
    "First day of the period, YYYY-MM-DD. A call counts on the local day of its start in the zone of its program.",
    "2026-06-01",
  ),
  to: date("Last day of the period, at most 400 days after the first.", "2026-09-30"),
  program_id: Type.Optional(id("program", "Only calls of this program.")),
  site_id: Type.Optional(id("site", "Only calls of this site.")),
  tests: Type.Optional(
    Type.Enum(["true", "false"], { description: "Whether operators' tests count. Default: `false`." }),
  ),
};

export const byQuery = Type.Optional(Type.Enum([...BY], { description: "What each row is about. Default: `site`." }));
export const fileByQuery = Type.Optional(
  Type.Enum([...BY, "dispatch_site"], {
    description: "What each row is about; `dispatch_site`: one call of one site. Default: `site`.",
  }),
);
export const fileFormat = Type.Optional(
  Type.Enum(["csv", "parquet"], { description: "Format of the file. Default: `csv`." }),
);

/** Rules that apply to every report. */
export const reportRules =
  "Sums up the results that stand, dispatch by dispatch: the approved version, or the newest before the cut-off for corrections. Participants' own tests never count. Calls that were cancelled, were voided, have no baseline or are not final are counted, and are in no other figure. A site that changed its account has a row for each.";

/** The file with one row per dispatch and site. */
export const callFile =
  "With `by=dispatch_site` the file has one row per dispatch and site, in order of the start: dispatch_id, version, version_reason, program_id, program_name, account_id, site_id, site_name, local_date, local_month, start_time, end_time, test, outcome, commitment_kw, mean_reduction_kw, performance, delivered_energy_kwh, delivered_energy_floored_kwh, delivered_energy_capped_kwh, committed_energy_kwh, intervals_expected, intervals_received, coverage, status, shared_with, paid_in, intervals_paid_elsewhere. `shared_with` has the dispatches that claim energy of the site in this one, `paid_in` those of them that are paid for it, with spaces between. Numbers are not rounded. `local_date` and `local_month` are those of the start in the zone of the program. A cancelled call has the energies until its cancellation. In CSV, an apostrophe precedes names that a spreadsheet would take for a formula.";

export const getPerformanceReport = endpoint({
  id: "getPerformanceReport",
  method: "GET",
  path: "/reports/performance",
  tag: "Performance",
  summary: "Retrieve what your sites delivered in a period",
  description: `An extension of the interface, meant for operations and not for settlement. ${reportRules}`,
  query: Type.Object({ ...reportFilters, by: byQuery, ...rowsQuery }),
  reply: PerformanceReport,
});

export const downloadPerformanceReport = endpoint({
  id: "downloadPerformanceReport",
  method: "GET",
  path: "/reports/performance/download",
  tag: "Performance",
  summary: "Download what your sites delivered in a period as a file",
  description: `An extension of the interface. The rows of GET /reports/performance, with its members as columns. ${callFile}\n\n${reportRules}`,
  query: Type.Object({ ...reportFilters, by: fileByQuery, format: fileFormat }),
  files: tableFiles,
});
