import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { Commitment, id, nullable, Timestamp } from "../values.js";

/** The program types the market knows (G17). */
export const programTypes = [
  "capacity",
  "ancillary_services",
  "energy",
  "peak_saver",
  "utility_interruptible_rate",
  "utility_program",
  "not_specified",
] as const;
export const ProgramType = Type.Enum([...programTypes], { description: "Kind of program." });

export const DispatchProgram = Type.Object(
  {
    id: id("program", "Primary key of the program."),
    name: Type.String({ description: "Program name." }),
    timezone: Type.String({ description: "IANA time zone of the program." }),
    market: Type.String({ description: "Market in which the program participates." }),
    program_type: ProgramType,
  },
  { $id: "DispatchProgram" },
);

export const DispatchSite = Type.Object(
  {
    id: id("site", "Primary key of the site."),
    name: Type.String({ description: "Site name when the dispatch was created." }),
    customer_location_id: Type.String({ description: 'The site owner\'s own identifier, "" where none was given.' }),
    dispatch_group: Type.String({ description: 'Group of the site, "" where it has none.' }),
    commitment: Commitment,
    drop_by: nullable(Type.Number({ description: "Equals commitment, in kW." })),
  },
  { $id: "DispatchSite" },
);

/** A call to reduce load, with the caller's own sites in it. */
export const Dispatch = Type.Object(
  {
    id: id("dispatch", "Primary key of the dispatch."),
    authorized: Type.Boolean({ description: "false: cancelled, curtailment can stop at once." }),
    test: Type.Boolean({ description: "true: a test, not a market call." }),
    start_time: Timestamp,
    end_time: nullable(Timestamp),
    creation_time: Timestamp,
    modification_number: Type.Integer({ minimum: 0, description: "0 at creation, one more with every change." }),
    program: DispatchProgram,
    sites: Type.Array(DispatchSite),
  },
  { $id: "Dispatch" },
);
export type Dispatch = Static<typeof Dispatch>;

const paging = {
  page: Type.Integer({ description: "Always 0: the list is whole." }),
  perPage: Type.Integer({ description: "Always 0: the list is whole." }),
};

export const listDispatches = endpoint({
  id: "listDispatches",
  method: "GET",
  path: "/dispatches",
  tag: "Dispatches",
  summary: "List recent dispatches",
  description:
    "Every dispatch that is upcoming, in progress, or was created, changed or ended in the previous 24 hours; newest start first. Poll every 30 seconds or so. The JSON of a dispatch changes only when the dispatch does.",
  reply: Type.Object({ dispatches: Type.Array(Dispatch), ...paging }, { $id: "DispatchList" }),
});

export const getDispatch = endpoint({
  id: "getDispatch",
  method: "GET",
  path: "/dispatches/{id}",
  tag: "Dispatches",
  summary: "Retrieve one dispatch",
  params: Type.Object({ id: Type.String({ description: "Dispatch id." }) }),
  reply: Dispatch,
});

export const createTestDispatch = endpoint({
  id: "createTestDispatch",
  method: "POST",
  path: "/dispatches",
  once: "within",
  tag: "Dispatches",
  summary: "Create a test dispatch for all your sites",
  description:
    "Both times must lie in the future, at most 24 hours apart; an account has at most 3 test dispatches of its own that are not over. The dispatch holds every site of the account that is available then. Its webhooks and VENs are notified as usual; no mail is sent.",
  body: Type.Object({ start_time: Timestamp, end_time: Timestamp }, { $id: "TestDispatchRequest" }),
  reply: Dispatch,
});
