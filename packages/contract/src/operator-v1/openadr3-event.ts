import Type, { type Static } from "typebox";
import { LOWEST_EVENT_PRIORITY, MAX_OWN_INTERVALS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { byId, id, integer, moment, nullable, number, string, Timezone, text } from "../values.js";
import { EnvironmentQuery, environments, pageOf } from "./list.js";
import { AudienceOf, Currency, EventPayload, GivenAudience, OwnPayloadType, Units } from "./openadr3-program.js";

const SECONDS_PER_YEAR = 366 * 86_400;

const Name = text(200, "Name of the event, for people.", "Prices of 1 July", 1);
const Priority = integer(
  `Priority among events of the same program: 0 is the highest, ${LOWEST_EVENT_PRIORITY} the lowest.`,
  1,
  { minimum: 0, maximum: LOWEST_EVENT_PRIORITY },
);

const eventStates = ["upcoming", "active", "past"] as const;

const EventInterval = Type.Object(
  {
    start_time: nullable(moment("Start of the interval; null if it is unknown.", "start")),
    end_time: nullable(moment("End of the interval; null if it never ends or is unknown.", "end")),
    payloads: Type.Array(
      Type.Object({
        payload_type: string("What the values mean.", "PRICE"),
        values: Type.Array(
          Type.Union([
            number("A number.", 0.21),
            string("A text, of an alert.", "Wildfire near the substation"),
            Type.Boolean({ description: "A switch.", examples: [true] }),
            Type.Object(
              { x: number("First number.", 1), y: number("Second number.", 2) },
              { description: "A point of a curve." },
            ),
          ]),
          { description: "The values." },
        ),
      }),
      { description: "What holds in the interval." },
    ),
  },
  { $id: "Openadr3EventInterval", description: "An interval of an event." },
);

const members = {
  id: id("openadr3_event"),
  program_id: id("openadr3_program", "Program of the event."),
  program_name: string("Name of the program.", "Day-ahead prices"),
  environment: Type.Enum([...environments], { description: "Environment of the event." }),
  name: nullable(string("Name of the event; null if it has none.", "Prices of 1 July")),
  state: Type.Enum([...eventStates], { description: "Whether it is to begin, in force, or over." }),
  payloads: Type.Array(EventPayload, { description: "Payload types of the event, and how to read their values." }),
  start_time: nullable(moment("Start of the event; null if it is unknown.", "start")),
  end_time: nullable(moment("End of the event; null if it never ends or is unknown.", "end")),
  priority: nullable(integer("Priority: 0 is the highest; null if it has none.", 1)),
  targets: AudienceOf,
  interval_count: integer("Number of its intervals.", 24),
  created_at: moment("When the event was created.", "created"),
  modified_at: moment("When the event was last changed.", "created"),
};

export const Openadr3EventSummary = Type.Object(members, {
  $id: "Openadr3EventSummary",
  description: "An event of the operator's own in OpenADR 3, without its intervals.",
});
export type Openadr3EventSummary = Static<typeof Openadr3EventSummary>;

export const Openadr3Event = Type.Object(
  { ...members, intervals: Type.Array(EventInterval, { description: "Its intervals, in their order." }) },
  {
    $id: "Openadr3Event",
    description:
      "An event of the operator's own in OpenADR 3: prices, emissions, capacity limits or an alert. It is no dispatch: no load reduction is measured.",
  },
);
export type Openadr3Event = Static<typeof Openadr3Event>;

const Value = number("A value, in the units of the event.", 0.21, { minimum: -1e9, maximum: 1e9 });

/** When an event is, and its values. */
const schedule = {
  start_time: Type.Optional(moment("Start of the event. Default: now.", "start")),
  day: Type.Optional(
    Type.String({
      format: "date",
      pattern: "^\\d{4}-\\d{2}-\\d{2}$",
      description:
        "A whole day of `timezone`, in place of start and end. `values` has to fill it: on days on which the clock changes, hourly values are 23 or 25. `YYYY-MM-DD`.",
      examples: ["2026-07-01"],
    }),
  ),
  timezone: Type.Optional({ ...Timezone, description: "IANA time zone of `day`." }),
  end_time: Type.Optional(
    nullable(
      moment("End of the event; null: it never ends. Default: where the last interval ends.", "end"),
      "End of the event; null: it never ends. Default: where the last interval ends.",
    ),
  ),
  interval_seconds: Type.Optional(
    integer("Length of each interval of `values`, in seconds. Default: that of the event, for a single value.", 3600, {
      minimum: 1,
      maximum: SECONDS_PER_YEAR,
    }),
  ),
  values: Type.Optional(
    Type.Array(Value, {
      minItems: 1,
      maxItems: MAX_OWN_INTERVALS,
      description: "Values of intervals of one length, in their order.",
    }),
  ),
  intervals: Type.Optional(
    Type.Array(
      Type.Object({
        start_time: moment("Start of the interval.", "start"),
        value: Value,
        end_time: Type.Optional(
          nullable(moment("End of the interval. Default: the start of the next, or the end of the event.", "end")),
        ),
      }),
      {
        minItems: 1,
        maxItems: MAX_OWN_INTERVALS,
        description: "Intervals of different lengths, in place of `values`: each begins where the one before ends.",
      },
    ),
  ),
  message: Type.Optional(text(1000, "Text of an alert, in place of `values`.", "Wildfire near the substation", 1)),
  units: Type.Optional(Units),
  currency: Type.Optional(Currency),
};

export const createOpenadrEvent = endpoint({
  id: "createOpenadrEvent",
  method: "POST",
  path: "/openadr3-events",
  once: "within",
  tag: "OpenADR 3",
  summary: "Create an OpenADR 3 event of your own",
  description:
    "Creates an event that is no dispatch, and notifies subscribers. `values` with `interval_seconds` are intervals of one length; `intervals` have their own; an alert has `message`. `units` and `currency` are those of the program unless given. A capacity limit needs a safe mode: first create an event with `IMPORT_CAPACITY_SUBSCRIPTION` or `EXPORT_CAPACITY_SUBSCRIPTION` and `end_time` null for the same targets; it gets the lowest priority and holds whenever no limit does. What is wrong with the event gets 400 with each fault.",
  body: Type.Object({
    program_id: id("openadr3_program", "Program of the event, one of your own."),
    name: Type.Optional(Name),
    payload_type: OwnPayloadType,
    ...schedule,
    priority: Type.Optional(Priority),
    targets: Type.Optional(GivenAudience),
  }),
  reply: Openadr3Event,
  status: 201,
});
export const listOpenadrEvents = endpoint({
  id: "listOpenadrEvents",
  method: "GET",
  path: "/openadr3-events",
  tag: "OpenADR 3",
  summary: "List OpenADR 3 events of your own",
  description:
    "Returns the events that the operator or a business logic client created, newest first. Events of dispatches are not among them.",
  query: Type.Object({
    ...EnvironmentQuery.properties,
    program_id: Type.Optional(id("openadr3_program", "Only events of this program.")),
    over: Type.Optional(
      Type.Boolean({
        description: "Only events that are over, or only those that are not. Default: all.",
        examples: [false],
      }),
    ),
  }),
  reply: pageOf(Openadr3EventSummary),
});
export const getOpenadrEvent = endpoint({
  id: "getOpenadrEvent",
  method: "GET",
  path: "/openadr3-events/{id}",
  tag: "OpenADR 3",
  summary: "Retrieve an OpenADR 3 event of your own",
  description: "Returns the event with its intervals. The event of a dispatch gets 404.",
  params: byId("openadr3_event"),
  reply: Openadr3Event,
});
export const changeOpenadrEvent = endpoint({
  id: "changeOpenadrEvent",
  method: "PATCH",
  path: "/openadr3-events/{id}",
  tag: "OpenADR 3",
  summary: "Change an OpenADR 3 event of your own",
  description:
    "Members that are left out keep their value. Time and values are replaced together: give `values`, `intervals` or `message` with their time, as for a new event; the start stays where it was unless given. Subscribers are notified. An event that is over gets 400.",
  params: byId("openadr3_event"),
  body: Type.Object({
    name: Type.Optional(nullable(Name)),
    payload_type: Type.Optional(OwnPayloadType),
    ...schedule,
    priority: Type.Optional(nullable(Priority)),
    targets: Type.Optional(GivenAudience),
  }),
  reply: Openadr3Event,
});
export const endOpenadrEvent = endpoint({
  id: "endOpenadrEvent",
  method: "POST",
  path: "/openadr3-events/{id}/end",
  once: "within",
  tag: "OpenADR 3",
  summary: "End an OpenADR 3 event of your own now",
  description:
    "Cuts the interval in force and drops those after it. An event that is over gets 400, and one that has not begun: delete it. A safe mode that limits still need gets 400.",
  params: byId("openadr3_event"),
  reply: Openadr3Event,
});
export const deleteOpenadrEvent = endpoint({
  id: "deleteOpenadrEvent",
  method: "DELETE",
  path: "/openadr3-events/{id}",
  tag: "OpenADR 3",
  summary: "Delete an OpenADR 3 event of your own",
  description:
    "VENs no longer see it, and its reports are deleted. Subscribers are notified. A safe mode that limits still need gets 400.",
  params: byId("openadr3_event"),
  status: 204,
});
