import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { dispatchStart } from "../v2022-04-15/dispatch.js";
import { nullableKwh, nullableRatio } from "../v2022-04-15/measured-values.js";
import { PerformancePreparing, tableFiles, VersionQuery } from "../v2022-04-15/performance.js";
import { fileFormat } from "../v2022-04-15/report.js";
import { boolean, byId, id, integer, moment, nullable, number, programName, string, timezone } from "../values.js";
import { commitmentKw, record, voidReason } from "./dispatch.js";
import { PageQuery, pageOf } from "./list.js";

/** States of a result. */
const RESULT_STATES = ["pending", "final", "approved", "cancelled", "voided"] as const;

/** What the sites of a dispatch delivered together, and which accounts were reached. */
export const DispatchResult = Type.Object(
  {
    dispatch_id: id("dispatch"),
    program_id: id("program"),
    program_name: programName,
    timezone: timezone("Time zone of the program."),
    start_time: dispatchStart,
    end_time: nullable(moment("End of the dispatch, or its cancellation.", "end")),
    local_date: string("Local day of the start in the time zone of the program.", "2026-07-01"),
    duration_seconds: integer("Length of the dispatch in seconds.", 7200),
    test: boolean("`true`: a test dispatch."),
    record,
    state: Type.Enum([...RESULT_STATES], {
      description:
        "`pending`: no final result yet. `final`: late readings may still make a new version, until the cut-off for corrections. `approved`: by an operator. `cancelled`: after the start, so that sites are not judged. `voided`: after the end; the results were withdrawn.",
      examples: ["final"],
    }),
    version: nullable(integer("Version of the result that applies; null before it is final.", 1)),
    later_version: boolean("Whether there is a later version than the one that applies. It changes nothing."),
    void_reason: voidReason,
    sites: integer("Sites in the dispatch that meet the filters. All figures are theirs.", 12),
    measured_sites: integer("Sites with a final result that is neither cancelled nor voided.", 11),
    paid_elsewhere_sites: integer(
      "Sites for which other dispatches that overlap this one are paid for some of the energy; see GET /dispatches/{id}/shared-energy.",
      0,
    ),
    commitment_kw: commitmentKw,
    mean_reduction_kw: nullable(number("Sum of the mean reductions of the measured sites, in kW.", 2900)),
    performance: nullableRatio("Sum of mean reductions divided by sum of commitments, over sites with both", 0.97),
    delivered_energy_kwh: nullableKwh("Delivered energy of the measured sites", 5800),
    committed_energy_kwh: nullableKwh("Committed energy of the measured sites", 6000),
    delivered_share: nullableRatio(
      "Delivered divided by committed energy: intervals without readings count as not delivered",
      0.95,
    ),
    coverage: nullableRatio("Received 30-second intervals divided by expected ones", 0.98),
    judged_sites: integer("Sites with a performance status other than `grey`.", 11),
    share_on_commitment: nullableRatio("Share of those with the status `green` or `blue`", 0.9),
    accounts: integer("Accounts of the sites.", 3),
    reached_accounts: integer(
      "Accounts that the latest change reached: a webhook accepted it, a VEN acknowledged it, the account read it before the end, or the mail server accepted an email.",
      3,
    ),
    notification_time: moment("When participants were notified first.", "notified"),
  },
  { $id: "DispatchResult", description: "The result of a dispatch. null means unknown, never zero." },
);
export type DispatchResult = Static<typeof DispatchResult>;

const day = (description: string, example: string) =>
  Type.Optional(
    Type.String({ format: "date", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description, examples: [example] }),
  );

const filters = {
  from: day(
    "Only dispatches that start on this day or later, YYYY-MM-DD, in the time zone of their program.",
    "2026-06-01",
  ),
  to: day("Only dispatches that start on this day or earlier.", "2026-09-30"),
  program_id: Type.Optional(id("program", "Only dispatches of this program.")),
  account_id: Type.Optional(
    id("account", "Only dispatches with sites of this account at the time, and only those sites."),
  ),
  site_id: Type.Optional(id("site", "Only dispatches with this site, and only this site.")),
  tests: Type.Optional(
    Type.Enum(["included", "excluded", "only"], {
      description: "Whether to include test dispatches, also participants' own. Default: `included`.",
    }),
  ),
  order: Type.Optional(Type.Enum(["newest", "oldest"], { description: "Which start comes first. Default: `newest`." })),
};

const rules =
  "Returns dispatches that are over, with the results that stand: the approved version, or the newest before the cut-off for corrections. Dispatches that were cancelled before their start are left out.";

export const listDispatchResults = endpoint({
  id: "listDispatchResults",
  method: "GET",
  path: "/dispatch-results",
  tag: "Performance",
  summary: "List the results of past dispatches",
  description: `${rules}\n\nA page may have fewer items than \`limit\`: it ends early once its dispatches have 20,000 sites together.`,
  query: Type.Object({ ...PageQuery.properties, ...filters }),
  reply: pageOf(DispatchResult),
});

export const downloadDispatchResults = endpoint({
  id: "downloadDispatchResults",
  method: "GET",
  path: "/dispatch-results/download",
  tag: "Performance",
  summary: "Download the results of past dispatches as a file",
  description: `The items of GET /dispatch-results, with its members as columns. \`local_start\` and \`local_end\` are in the time zone of the program, with their offset. Numbers are not rounded. In CSV, an apostrophe precedes names that a spreadsheet would take for a formula.\n\n${rules}`,
  query: Type.Object({ ...filters, format: fileFormat }),
  files: tableFiles,
});

export const downloadSiteResults = endpoint({
  id: "downloadSiteResults",
  method: "GET",
  path: "/dispatches/{id}/performance/download",
  tag: "Performance",
  summary: "Download the result of each site in a dispatch as a file",
  description:
    "One row per site: dispatch_id, version, state, site_id, site_name, account_id, commitment_kw, baseline, baseline_reason, mean_reduction_kw, performance, delivered_energy_kwh, delivered_energy_floored_kwh, delivered_energy_capped_kwh, committed_energy_kwh, intervals_expected, intervals_received, coverage, status, shared_with, paid_in, intervals_paid_elsewhere. `shared_with` has the dispatches that claim energy of the site in this one, `paid_in` those of them that are paid for it, with spaces between. While the dispatch is in progress the result is that of now. Numbers are not rounded. In CSV, an apostrophe precedes names that a spreadsheet would take for a formula.",
  params: byId("dispatch"),
  query: Type.Object({ ...VersionQuery.properties, format: fileFormat }),
  files: tableFiles,
  notYet: PerformancePreparing,
});
