import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { tableFiles } from "../v2022-04-15/performance.js";
import {
  byQuery,
  callFile,
  fileByQuery,
  fileFormat,
  nextRows,
  PerformanceReportRow,
  reportedPeriod,
  reportFilters,
  reportRules,
  rowsQuery,
} from "../v2022-04-15/report.js";
import { id, integer, nullable, ratio } from "../values.js";

/** A row with the accuracy of the method that measures its site. */
export const OperatorPerformanceReportRow = Type.Object(
  {
    ...PerformanceReportRow.properties,
    accuracy_days: nullable(
      integer("Days without a dispatch on which the method was tried; null unless requested.", 10),
    ),
    relative_rmse: nullable(ratio("Root mean square error of the baseline divided by the mean load.", 0.075)),
    relative_bias: nullable(
      ratio(
        "Mean of baseline minus load divided by the mean load: above 0, it shows reductions that nobody made.",
        0.01,
      ),
    ),
  },
  {
    $id: "OperatorPerformanceReportRow",
    description: "What calls of a period delivered together, with the accuracy of the baseline. null means unknown.",
  },
);
export type OperatorPerformanceReportRow = Static<typeof OperatorPerformanceReportRow>;

export const OperatorPerformanceReport = Type.Object(
  {
    ...reportedPeriod,
    rows: Type.Array(OperatorPerformanceReportRow, { description: "Rows of the page, in order of their names." }),
    total: OperatorPerformanceReportRow,
    next_cursor: nextRows,
  },
  { $id: "OperatorPerformanceReport", description: "What sites delivered in the dispatches of a period." },
);
export type OperatorPerformanceReport = Static<typeof OperatorPerformanceReport>;

const filters = {
  ...reportFilters,
  account_id: Type.Optional(id("account", "Only calls of sites that belonged to this account.")),
  accuracy: Type.Optional(
    Type.Enum(["true", "false"], {
      description:
        "Whether to try the method of each site at the hours of its latest call, on up to ten days without a dispatch, as GET /sites/{id}/baseline-accuracy does. Only with `by=site` and `program_id`, for at most 20 sites on a page or in a file. Default: `false`.",
    }),
  ),
};

export const getAnyPerformanceReport = endpoint({
  id: "getAnyPerformanceReport",
  method: "GET",
  path: "/reports/performance",
  tag: "Performance",
  summary: "Retrieve what sites delivered in a period",
  description: reportRules,
  query: Type.Object({ ...filters, by: byQuery, ...rowsQuery }),
  reply: OperatorPerformanceReport,
});

export const downloadAnyPerformanceReport = endpoint({
  id: "downloadAnyPerformanceReport",
  method: "GET",
  path: "/reports/performance/download",
  tag: "Performance",
  summary: "Download what sites delivered in a period as a file",
  description: `The rows of GET /reports/performance, with its members as columns. ${callFile}\n\n${reportRules}`,
  query: Type.Object({ ...filters, by: fileByQuery, format: fileFormat }),
  files: tableFiles,
});
