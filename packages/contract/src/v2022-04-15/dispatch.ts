import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import {
  boolean,
  byId,
  Commitment,
  customerLocationId,
  dispatchGroup,
  id,
  integer,
  moment,
  nullable,
  number,
  programName,
  string,
  text,
  timezone,
} from "../values.js";
import { paging } from "./list.js";

/** Kinds of program in the market (G17). */
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

/** Market of a program, in replies. */
export const market = string('Market in which the program participates, as free text; "" for none.', "ERCOT");

/** What every dispatch contains about its program. */
export const dispatchProgram = {
  id: id("program"),
  name: programName,
  timezone: timezone("Time zone of the program."),
  market,
  program_type: ProgramType,
};

export const DispatchProgram = Type.Object(dispatchProgram, {
  $id: "DispatchProgram",
  description: "The program of the dispatch, as it was when the dispatch was created.",
});

export const DispatchSite = Type.Object(
  {
    id: id("site"),
    name: string("Name of the site when the dispatch was created.", "Northgate Store 12"),
    customer_location_id: customerLocationId,
    dispatch_group: dispatchGroup,
    commitment: Commitment,
    drop_by: nullable(number("Equal to `commitment`, in kW.", 250)),
  },
  { $id: "DispatchSite", description: "A site that must curtail." },
);

/** Times and state of a dispatch, shared by all its schemas. */
export const dispatchStart = moment("Start of the dispatch.", "start");
export const dispatchEnd = nullable(moment("End of the dispatch; null while it is not known.", "end"));
export const isTest = boolean("`true`: a test dispatch, not a response to a market call.");
const modifications = (bounds = {}) =>
  integer("Number of changes: 0 at creation, one more with every change.", 1, bounds);
export const modificationNumber = modifications();

/** Names and texts that an operator adds to a dispatch (G59). */
const MAX_METADATA = 20;
const METADATA_NAME = "^[A-Za-z][A-Za-z0-9_.-]{0,49}$";

export const DispatchMetadata = Type.Record(Type.String(), text(500, "A text of the operator.", "MKT-2026-0417"), {
  $id: "DispatchMetadata",
  maxProperties: MAX_METADATA,
  propertyNames: { pattern: METADATA_NAME },
  description: `Texts that the operator set for the dispatch, by name: at most ${MAX_METADATA}. Names begin with a letter and have 1 to 50 letters, digits, underscores, dots and hyphens.`,
  examples: [{ market_reference: "MKT-2026-0417" }],
});

/**
 * What operators add to a dispatch and change as they like. A new dispatch, a change, the audited state and every reply
 * with a dispatch take these members from here.
 */
export const dispatchDetails = { metadata: DispatchMetadata };
export const givenDetails = Type.Partial(Type.Object(dispatchDetails)).properties;

/** A dispatch with the caller's own sites in it (G13, G14). */
export const Dispatch = Type.Object(
  {
    id: id("dispatch"),
    authorized: boolean("`false`: the dispatch is cancelled and curtailment can stop at once.", true),
    cancelled: boolean("`true`: the dispatch is cancelled. Always the opposite of `authorized`."),
    test: isTest,
    start_time: dispatchStart,
    end_time: dispatchEnd,
    creation_time: moment("When the dispatch was created.", "created"),
    modification_number: modifications({ minimum: 0 }),
    ...dispatchDetails,
    program: DispatchProgram,
    sites: Type.Array(DispatchSite, { description: "Your sites that must curtail." }),
  },
  { $id: "Dispatch", description: "A period in which sites are asked to reduce their load." },
);
export type Dispatch = Static<typeof Dispatch>;

export const listDispatches = endpoint({
  id: "listDispatches",
  method: "GET",
  path: "/dispatches",
  isTagged: true,
  tag: "Dispatches",
  summary: "List recent dispatches",
  description:
    "Returns every dispatch that is upcoming or in progress, or that was created, changed or ended in the previous 24 hours, latest start first. A dispatch appears at its notification time. Only your own sites are listed in it. A dispatch that was recorded after its end is not listed, and nobody is notified of it.\n\nPoll every 30 seconds. The JSON of a dispatch changes only when the dispatch does, so whole objects can be compared. With `If-None-Match` set to the `ETag` of the last reply, an unchanged list gets 304, which counts as the same read. Polling too often gets 429.",
  reply: Type.Object(
    { dispatches: Type.Array(Dispatch, { description: "The dispatches, latest start first." }), ...paging },
    { $id: "DispatchList", description: "Recent dispatches." },
  ),
});

export const getDispatch = endpoint({
  id: "getDispatch",
  method: "GET",
  path: "/dispatches/{id}",
  tag: "Dispatches",
  summary: "Retrieve a dispatch",
  description:
    "Returns a dispatch of any age with your own sites in it. Follow the `resource` of a webhook notification here. Before the notification time, and for a dispatch without a site of yours, the reply is 404.",
  params: byId("dispatch"),
  reply: Dispatch,
});

/** Longest list of dispatches that a stream can be resumed over; beyond, it begins with a snapshot. */
const MAX_RESUMED = 200;

export const streamDispatches = endpoint({
  id: "streamDispatches",
  method: "GET",
  path: "/dispatches/stream",
  tag: "Dispatches",
  summary: "Stream dispatches and their changes",
  description: `An extension of the interface: notifies systems that no webhook can reach, within a second.

A stream of server-sent events. \`snapshot\` carries what \`GET /dispatches\` returns and replaces everything before; it is the first event, and is sent again when a dispatch leaves the list. \`dispatch\` carries one dispatch that appeared, changed or was cancelled. A dispatch appears at its notification time.

Reconnect when the stream ends, after the milliseconds in \`retry\`. With Last-Event-ID the stream continues where it broke off: it sends each dispatch that changed meanwhile once, and no snapshot; lists of more than ${MAX_RESUMED} dispatches always begin with a snapshot. Comments keep the connection alive; if nothing arrives for 15 seconds, the connection is broken.

An event is no receipt, since it may be lost after it was sent. Confirm each modification with \`GET /dispatches/{id}\`, as after a webhook; that read is the evidence that you were notified. The stream ends when its key is revoked or expires, when the account is disabled, and when the service restarts. An account may have 20 streams open; one more gets 429.`,
  events: { snapshot: listDispatches.reply, dispatch: Dispatch },
});

export const createTestDispatch = endpoint({
  id: "createTestDispatch",
  method: "POST",
  path: "/dispatches",
  once: "within",
  tag: "Dispatches",
  summary: "Create a test dispatch for your sites",
  description:
    "Creates a dispatch with `test: true` that includes every site of the account that is available in the period; with `program_id`, every such site that is enrolled in that program, with its commitment there. Your webhooks and VENs are notified as usual; no email is sent.\n\nBoth times must be in the future and at most 24 hours apart. An account may have 3 test dispatches of its own that are not over; one more gets 400, as does an account without an available site, or a program in which the account has no sites.",
  body: Type.Object(
    {
      start_time: dispatchStart,
      end_time: moment("End of the dispatch, after the start.", "end"),
      program_id: Type.Optional(
        nullable(
          id(
            "program",
            "Program to test: one in which the account has enrolled sites. Default: null, a program for tests.",
          ),
        ),
      ),
    },
    { $id: "TestDispatchRequest", description: "Period of a test dispatch." },
  ),
  reply: Dispatch,
});
