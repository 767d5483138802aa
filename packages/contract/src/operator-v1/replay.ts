import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { reachChannels } from "../lists/channels.js";
import { accountName, byId, id, integer, moment, nullable, string, version } from "../values.js";
import { actor, actorName, commitmentKw, record } from "./dispatch.js";
import { PageQuery, pageOf } from "./list.js";
import { phoneCall } from "./phone-call.js";

export const replayKinds = [
  "targeted",
  "issued",
  "changed",
  "cancelled",
  "voided",
  "disabled",
  "enabled",
  "notified",
  "phoned",
  "alarm_raised",
  "alarm_acknowledged",
  "alarm_cleared",
  "result",
] as const;

const Members = Type.Partial(
  Type.Object({
    account_id: id("account", "Account concerned."),
    account_name: accountName,
    sites: integer("`targeted`: number of its sites in the dispatch.", 3),
    commitment_kw: { ...commitmentKw, description: "`targeted`: sum of their commitments in kW." },
    modification_number: integer("Modification of the dispatch.", 1),
    start_time: moment("`issued` to `voided`: start of the dispatch.", "start"),
    end_time: nullable(moment("`issued` to `voided`: end of the dispatch; null while it was open-ended.", "end")),
    record,
    channel: Type.Enum([...reachChannels], { description: "`notified`: the channel." }),
    actor,
    actor_name: actorName,
    called_at: moment("`phoned`: when the person was reached; `at` is when that was recorded.", "now"),
    person: phoneCall.person,
    note: phoneCall.note,
    alarm_id: id("alarm"),
    alarm_kind: string("Kind of the alarm.", "notice_failed"),
    reason: string("`voided`: why. `result`: why there is a version.", "final"),
    version: version("`result`: version."),
  }),
);

export const ReplayEvent = Type.Object(
  {
    at: moment("From when it was known to the service.", "notified"),
    what: Type.Enum([...replayKinds], {
      description:
        "What happened. `targeted`: the account is in the dispatch; those with the largest commitments are first. `issued`, `changed`, `cancelled`, `voided`: a person did this with the dispatch. `disabled`, `enabled`: the account was, and is left out of counts while it is disabled. `notified`: the first success of a channel for an account and modification. `phoned`: an operator notified the account by phone. `alarm_raised`, `alarm_acknowledged`, `alarm_cleared`: of an alarm about the dispatch. `result`: a version of the result.",
    }),
    ...Members.properties,
  },
  { $id: "ReplayEvent", description: "An event of a dispatch. Members that do not apply are absent." },
);
export type ReplayEvent = Static<typeof ReplayEvent>;

export const listReplayEvents = endpoint({
  id: "listReplayEvents",
  method: "GET",
  path: "/dispatches/{id}/replay",
  tag: "Dispatches",
  summary: "List the events of a dispatch to replay it",
  description:
    "Returns events in the order in which the service learned of them, oldest first: all events up to a moment give the accounts that were not notified then and the alarms that were open. An account is notified if a channel succeeded for the newest modification at that moment, or for a later one. `GET /dispatches/{id}/performance/curve` has what was delivered; readings may have arrived later than they were taken. Retrieve the evidence for attempts and failures.",
  params: byId("dispatch"),
  query: PageQuery,
  reply: pageOf(ReplayEvent),
});
