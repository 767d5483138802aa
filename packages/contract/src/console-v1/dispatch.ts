import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { PageQuery, pageOf } from "../operator-v1/list.js";
import { month } from "../operator-v1/terms.js";
import { Dispatch } from "../v2022-04-15/dispatch.js";
import { PerformanceLimits } from "../v2022-04-15/measured-dispatch.js";
import { id, integer, moment, nullable, number, ratio } from "../values.js";

/** What became of a past dispatch. */
export const pastOutcomes = ["measured", "without_baseline", "not_final", "cancelled", "voided"] as const;

const PastResult = Type.Object(
  {
    outcome: Type.Enum([...pastOutcomes], {
      description:
        "`measured`: there is a final result. `without_baseline`: there is one, but nothing to compare the load with. `not_final`: readings are still awaited. `cancelled`, `voided`: your sites are not judged.",
    }),
    version: nullable(integer("Version of the result that applies; null: none yet.", 1)),
    approved: Type.Boolean({ description: "Whether an operator approved the result.", examples: [false] }),
    sites: integer("Your sites in the dispatch whose data is visible.", 3),
    measured_sites: integer("Those of them with a reduction. The sums are theirs.", 3),
    mean_reduction_kw: nullable(number("Sum of their mean reductions, in kW.", 248)),
    performance: nullable(
      ratio("Delivered divided by committed, over sites with both, weighted by commitment and time.", 0.98),
    ),
    delivered_energy_kwh: nullable(number("Delivered energy, in kWh.", 496)),
    status_limits: PerformanceLimits,
  },
  { $id: "PastResult", description: "The final result of your sites in a dispatch." },
);

const PastStatement = Type.Object(
  {
    id: id("statement"),
    month: month("Month of the statement."),
    state: Type.Enum(["provisional", "complete", "approved"], { description: "State of the statement." }),
  },
  { $id: "PastStatement", description: "The statement of the month in which a dispatch began." },
);

export const PastDispatch = Type.Object(
  { ...Dispatch.properties, result: PastResult, statement: nullable(PastStatement) },
  { $id: "PastDispatch", description: "A past dispatch with its result, and the statement of its month." },
);
export type PastDispatch = Static<typeof PastDispatch>;

/** Dispatches that GET /dispatches no longer lists after a day. */
export const listPastDispatches = endpoint({
  id: "listPastDispatches",
  method: "GET",
  path: "/dispatches/past",
  tag: "Dispatches",
  summary: "List past dispatches, newest first",
  description:
    "Returns dispatches of any age that are over or cancelled, with your own sites in them, the final results of these, and the statement of the month.",
  query: Type.Object({
    ...PageQuery.properties,
    start_time: Type.Optional(moment("Only dispatches that start at or after this moment.", "start")),
    end_time: Type.Optional(moment("Only dispatches that start before this moment.", "end")),
    program_id: Type.Optional(id("program", "Only dispatches of this program.")),
    site_id: Type.Optional(id("site", "Only dispatches with this site of yours.")),
    tests: Type.Optional(Type.Enum(["true", "false"], { description: "Whether tests are listed. Default: `true`." })),
  }),
  reply: pageOf(PastDispatch),
});
