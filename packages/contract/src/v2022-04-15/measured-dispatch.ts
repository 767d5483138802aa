import Type, { type Static } from "typebox";
import { id, integer, moment, nullable, ratio, string } from "../values.js";
import { dispatchEnd, dispatchStart } from "./dispatch.js";

/** Named by each result and statement. */
export const rulesVersion = integer(
  "Version of the rules that it was made by. Newer rules hold from the first month after an upgrade of the service, so that no upgrade changes what was paid; an operator may adopt them earlier. 2: a look-back day is incomplete only in the hours that are used; missing readings of a site's own count as not delivered; energy is paid once.",
  1,
);

export const ResultVersion = Type.Object(
  {
    version: integer("Version of the result, from 1.", 1),
    at: moment("When the version was stored.", "later"),
    standing: Type.Enum(["standing", "superseded", "beside"], {
      description:
        "`standing`: the result of the dispatch. `superseded`: a later version applies. `beside`: it is later than the one that applies, which was approved or whose time for corrections was over; it changes nothing.",
    }),
    by: nullable(string("Who made it by hand; null if the service did. Participants see `operator`.", "operator")),
    note: nullable(string("Why it was made by hand; null otherwise.", "agreed with the account")),
    rules_version: rulesVersion,
    reason: Type.Enum(
      ["complete", "overdue", "corrected", "event_days", "excluded_days", "rules", "decided", "approved", "withdrawn"],
      {
        description:
          "`complete`: all inputs had arrived. `overdue`: an input was awaited and did not arrive. `corrected`: readings arrived late or were corrected. `event_days`: an earlier dispatch of the site was recorded, changed or voided later. `excluded_days`: an operator excluded a day of the look-back from baselines, or lets it count again. `rules`: an operator adopted newer rules of measuring for a month that had passed. `decided`: an operator decided about a site whose readings are missing. `approved`: an operator approved the version before; it does not change any more. `withdrawn`: the dispatch was voided; the version is empty.",
      },
    ),
  },
  { $id: "ResultVersion", description: "A version of the final result of a dispatch." },
);

export const resultVersions = Type.Array(ResultVersion, { description: "Versions of the final result, oldest first." });

/** Limits between the performance statuses, in ratios of the commitment. */
export const PerformanceLimits = Type.Object(
  {
    amber_from: ratio("Performance below this is well below commitment.", 0.75),
    green_from: ratio("Performance below this is below commitment.", 0.95),
    green_to: ratio("Performance above this is well above commitment.", 1.2),
  },
  {
    $id: "PerformanceLimits",
    description: "Limits between the performance statuses, of the program when it dispatched.",
  },
);
export type PerformanceLimits = Static<typeof PerformanceLimits>;

/** The first members of every reply about the performance of a dispatch. */
export const measuredDispatch = {
  dispatch_id: id("dispatch"),
  state: Type.Enum(["upcoming", "in_progress", "ended", "final", "cancelled"], {
    description:
      "`ended`: readings may still arrive. `final`: only late or corrected readings change the result, as a new version. `cancelled`: cancelled, or voided after its end; sites are not judged. What was delivered until the cancellation is shown; a void dispatch shows nothing.",
    examples: ["in_progress"],
  }),
  as_of: moment("When the result was computed."),
  version: nullable(integer("Version of the final result, from 1; null until the result is final.", 1)),
  versions: resultVersions,
  status_limits: PerformanceLimits,
  start_time: dispatchStart,
  end_time: dispatchEnd,
  measured_until: moment("End of the measured period: now, or the end of the dispatch."),
};
