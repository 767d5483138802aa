import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id, nullable, Timestamp } from "../values.js";

const count = (description?: string) => Type.Integer(description === undefined ? {} : { description });

/** A dispatch with the sums of its sites. */
const DispatchOverview = Type.Object(
  {
    id: id("dispatch", "Primary key of the dispatch."),
    program_id: id("program", "Primary key of the program."),
    program_name: Type.String(),
    test: Type.Boolean(),
    start_time: Timestamp,
    end_time: nullable(Timestamp),
    sites: count(),
    commitment_kw: Type.Number({ description: "Of all its sites." }),
    delivered_kw: nullable(
      Type.Number({ description: "Reduction now, in kW; null while it is not known, and before the start." }),
    ),
    sites_by_status: nullable(
      Type.Object(
        { red: count(), amber: count(), green: count(), blue: count(), grey: count() },
        { description: "Its sites by the colour of their status." },
      ),
    ),
  },
  { $id: "DispatchOverview" },
);
export type DispatchOverview = Static<typeof DispatchOverview>;

/** Everything at a glance. Disabled accounts, and their sites and meters, are not counted. */
export const OperatorOverview = Type.Object(
  {
    as_of: Timestamp,
    accounts: count(),
    sites: count(),
    sites_streaming: count("With a reading within 15 minutes."),
    sites_stale: count(
      "Without one, or with a meter that read in the last 7 days and is silent: those may stream and be stale.",
    ),
    meters: count(),
    load_kw: nullable(
      Type.Number({ description: "Sum of the newest readings of the meters that read within 15 minutes, in kW." }),
    ),
    alarms_open: count("Alarms that nobody has acknowledged."),
    dispatches: Type.Object({
      active: Type.Array(DispatchOverview, { description: "In progress." }),
      upcoming: Type.Array(DispatchOverview, { description: "Starting in the next 7 days; at most 50." }),
    }),
  },
  { $id: "OperatorOverview" },
);
export type OperatorOverview = Static<typeof OperatorOverview>;

export const getOverview = endpoint({
  id: "getOverview",
  method: "GET",
  path: "/overview",
  tag: "Overview",
  summary: "Everything at a glance",
  reply: OperatorOverview,
});
