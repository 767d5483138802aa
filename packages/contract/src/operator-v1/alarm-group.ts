import Type, { type Static } from "typebox";
import { MAX_SHELF_HOURS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { alarmCauseNames } from "../lists/alarm-causes.js";
import { dispatchEnd, dispatchStart } from "../v2022-04-15/dispatch.js";
import {
  accountName,
  givenId,
  id,
  integer,
  moment,
  nullable,
  number,
  programName,
  string,
  timezone,
} from "../values.js";
import { acknowledgement, assignedTo, firstContact } from "./alarm.js";

const GROUP = "not_notified.dis_4f9k2m7q1x8c";

const CallFirst = Type.Object(
  {
    account_id: id("account"),
    account_name: accountName,
    at_stake_kw: nullable(number("Its part of the kW at stake; null if they are unknown.", 410)),
    contact: firstContact,
  },
  { description: "Account to call first: the one with the most kW." },
);

/** Alarms of one dispatch with the same cause, or of one kind without a dispatch. */
export const AlarmGroup = Type.Object(
  {
    id: string("Identifier of the group: its cause, and its dispatch if it has one.", GROUP),
    cause: Type.String({
      description: "Cause of a shortfall; otherwise the kind of the alarms. New causes may be added.",
      examples: [...alarmCauseNames],
    }),
    kind: string("First kind of its alarms, in the order of the alphabet.", "notice_failed"),
    title: string("What is wrong, counted now.", "Peak relief: 30 accounts not notified"),
    why: string("The reasons, counted; empty if there is nothing to add.", "12 emails bounced, 18 have no channel"),
    priority: Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)], {
      description:
        "1: kW are at stake now, and there is time to save them. 2: act within the time that is left. 3: when there is time.",
      examples: [1],
    }),
    at_stake_kw: nullable(
      number(
        "What the dispatch lacks now because of this cause, in kW; before its start, what its sites committed. Groups of a dispatch never add up to more than it lacks. null if the group explains no shortfall.",
        2310,
      ),
    ),
    dispatch: nullable(
      Type.Object(
        {
          id: id("dispatch"),
          program_id: id("program"),
          program_name: programName,
          timezone: timezone("Time zone of the program."),
          start_time: dispatchStart,
          end_time: dispatchEnd,
        },
        { description: "Dispatch of the alarms; null without one." },
      ),
    ),
    alarms: integer("Number of its alarms that are not shelved.", 30),
    open: integer("How many of them nobody has acknowledged.", 30),
    shelved: integer("Number of its alarms that are shelved.", 0),
    accounts: integer("Number of accounts concerned.", 30),
    sites: integer("Number of sites concerned; 0 if they are not known.", 212),
    since: moment("When the first of its alarms was raised."),
    call_first: nullable(CallFirst, "Account to call first, the one with the most kW; null without an account."),
    acknowledged_at: nullable(moment("When one of its alarms was acknowledged last; null if none was.")),
    ...acknowledgement,
    assigned_to: nullable(
      assignedTo,
      "Person or desk that all of its alarms are assigned to; null for none, or several.",
    ),
  },
  { $id: "AlarmGroup", description: "Alarms of one dispatch with the same cause, or of one kind." },
);
export type AlarmGroup = Static<typeof AlarmGroup>;

export const AlarmGroups = Type.Object(
  {
    as_of: moment("When the groups were counted."),
    open: integer("Number of alarms that are neither acknowledged nor shelved, of all groups.", 51),
    acknowledged: integer("Number of alarms that are acknowledged, not shelved, and not cleared.", 0),
    groups: integer("Number of groups, also of those that `items` leaves out.", 3),
    shelved: integer("Number of shelved alarms.", 1),
    shelved_until: nullable(moment("When the first of them returns; null without any.", "end")),
    items: Type.Array(AlarmGroup, {
      description:
        "The most urgent first, by priority, then kW; acknowledged groups after the others of their priority. At most 100.",
    }),
  },
  { $id: "AlarmGroups", description: "Alarms that stand, in groups." },
);
export type AlarmGroups = Static<typeof AlarmGroups>;

export const listAlarmGroups = endpoint({
  id: "listAlarmGroups",
  method: "GET",
  path: "/alarms/groups",
  tag: "Alarms",
  summary: "List alarms in groups, the most urgent first",
  description:
    "Groups the alarms that are not cleared by dispatch and cause; those without a dispatch by kind. Each group has the kW that the dispatch lacks because of it, the account to call first, and a priority. Shelved alarms are counted only. List the alarms of a group with `GET /alarms?group=`.",
  reply: AlarmGroups,
});

const inGroup = Type.Object({ id: string("Identifier of the group.", GROUP) });
const only = {
  alarm_ids: Type.Optional(
    Type.Array(givenId("alarm"), {
      description: "Only these of its alarms. Default: all of them.",
      minItems: 1,
      maxItems: 500,
    }),
  ),
};

/** What was done to alarms of a group. */
export const GroupAct = Type.Object(
  {
    group_id: string("Identifier of the group.", GROUP),
    at: moment("When it was done."),
    alarms: integer("How many of its alarms it changed; 0 if all were as asked before.", 30),
  },
  { $id: "GroupAct", description: "What was done to alarms of a group." },
);
export type GroupAct = Static<typeof GroupAct>;

const act = { method: "POST", once: "within", tag: "Alarms", params: inGroup, reply: GroupAct } as const;

export const acknowledgeAlarmGroup = endpoint({
  ...act,
  id: "acknowledgeAlarmGroup",
  path: "/alarms/groups/{id}/acknowledge",
  summary: "Acknowledge the alarms of a group",
  description:
    "Acknowledges the alarms of the group that are open; what joins it later is not acknowledged by that. Acknowledged alarms stay until their cause ends. Unlike `POST /alarms/{id}/acknowledge`, it does not clear a `notice_failed` or `ven_opted_out` while the dispatch lasts: its accounts are still to be called. They clear once it is over. It can be taken back with `unacknowledge`.",
  body: Type.Object({
    raised_by: Type.Optional(
      moment("Only alarms raised until then, such as `as_of` of the groups that were shown. Default: now."),
    ),
    ...only,
  }),
});
export const unacknowledgeAlarmGroup = endpoint({
  ...act,
  id: "unacknowledgeAlarmGroup",
  path: "/alarms/groups/{id}/unacknowledge",
  summary: "Take back an acknowledgement of a group",
  description:
    "The alarms that were acknowledged at that moment, and have not cleared since, are open again. Other acknowledgements of the group stay.",
  body: Type.Object({ acknowledged_at: moment("`at` of the acknowledgement."), ...only }),
});
export const assignAlarmGroup = endpoint({
  ...act,
  id: "assignAlarmGroup",
  path: "/alarms/groups/{id}/assign",
  summary: "Assign the alarms of a group",
  description:
    "Says who takes care of the alarms of the group that are not cleared: a person or a desk, by name. What joins the group later is assigned to nobody. Nobody is notified of it.",
  body: Type.Object({
    assigned_to: nullable(assignedTo, "Who takes care of them, by name; null: nobody."),
    ...only,
  }),
});
export const shelveAlarmGroup = endpoint({
  ...act,
  id: "shelveAlarmGroup",
  path: "/alarms/groups/{id}/shelve",
  summary: "Shelve the alarms of a group until a time",
  description: `Leaves the alarms of the group that are not cleared out of groups and of the number of open alarms until a time, at most ${MAX_SHELF_HOURS} hours from now. They return by themselves. An alarm that clears and is raised again meanwhile stays shelved; others that join the group are not shelved.`,
  body: Type.Object({ until: moment("When they return.", "end"), ...only }),
});
export const unshelveAlarmGroup = endpoint({
  ...act,
  id: "unshelveAlarmGroup",
  path: "/alarms/groups/{id}/unshelve",
  summary: "Return the shelved alarms of a group",
  description: "The shelved alarms of the group that are not cleared are back at once.",
  body: Type.Object(only),
});
