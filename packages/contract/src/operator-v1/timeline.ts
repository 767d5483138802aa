import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { reachChannels } from "../lists/channels.js";
import { accountName, byId, id, integer, moment, nullable, string } from "../values.js";
import { actor, actorName } from "./dispatch.js";

export const timelineKinds = [
  "issued",
  "changed",
  "cancelled",
  "voided",
  "notified",
  "reached",
  "phoned",
  "alarm",
  "alarm_cleared",
  "result",
] as const;

const only = (of: string) => `Of ${of}; otherwise null.`;

export const TimelineEntry = Type.Object(
  {
    at: moment("When it happened; of several, the first.", "notified"),
    until: nullable(moment("Of several, when the last happened; null for one.", "now")),
    what: Type.Enum([...timelineKinds], {
      description:
        "What happened. `issued`, `changed`, `cancelled`, `voided`: a person did this with the dispatch. `notified`: participants can see it, or its change. `reached`: a channel reached accounts. `phoned`: an operator notified an account by phone. `alarm`, `alarm_cleared`: alarms about the dispatch were raised or cleared, by kind. `result`: a version of the result.",
    }),
    count: integer("Number of accounts or alarms; 1 for anything else.", 6),
    modification_number: nullable(integer(only("`issued` to `phoned`: modification of the dispatch"), 1)),
    channel: nullable(Type.Enum([...reachChannels], { description: only("`reached`: the channel") })),
    account_id: nullable(id("account", only("a single account"))),
    account_name: nullable(accountName, only("a single account")),
    actor: nullable(actor, "Who acted; null if nobody did."),
    actor_name: actorName,
    start_time: nullable(moment(only("`issued` to `voided`: start of the dispatch"), "start")),
    end_time: nullable(
      moment(`${only("`issued` to `voided`: end of the dispatch")} null also while it is open-ended.`, "end"),
    ),
    detail: nullable(
      string(
        "Of alarms, their kind; of a result, why there is a version; of a call, who was reached and the note; of voiding, why.",
        "final",
      ),
    ),
    version: nullable(integer(only("`result`: version"), 1)),
  },
  { $id: "TimelineEntry", description: "Something that happened in a dispatch, or several alike." },
);
export type TimelineEntry = Static<typeof TimelineEntry>;

export const Timeline = Type.Object(
  { items: Type.Array(TimelineEntry, { description: "Oldest first." }) },
  { $id: "Timeline", description: "What happened in a dispatch." },
);

export const getDispatchTimeline = endpoint({
  id: "getDispatchTimeline",
  method: "GET",
  path: "/dispatches/{id}/timeline",
  tag: "Dispatches",
  summary: "Retrieve the timeline of a dispatch",
  description:
    "Returns everything that happened, oldest first, with notifications grouped by modification and channel, and alarms by kind. At most 200 phone calls, the newest. Retrieve the evidence for each single event.",
  params: byId("dispatch"),
  reply: Timeline,
});
