import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { Dispatch, DispatchSite } from "../v2022-04-15/dispatch.js";
import { Commitment, id, nullable, Timestamp, text } from "../values.js";
import { byId, PageQuery, pageOf } from "./list.js";

const Revision = Type.Object(
  {
    modification_number: Type.Integer(),
    at: Timestamp,
    actor: Type.String({ description: "Who made the change." }),
    actor_name: nullable(
      Type.String({ description: "Name of the person, also of a deleted one; null of other actors." }),
    ),
    start_time: Timestamp,
    end_time: nullable(Timestamp),
    authorized: Type.Boolean(),
  },
  { $id: "DispatchRevision" },
);

const OperatorDispatchSite = Type.Object({
  ...DispatchSite.properties,
  account_id: id("account", "Account of the site."),
});

/** A dispatch across accounts, with its notification time. */
export const OperatorDispatch = Type.Object(
  {
    ...Type.Omit(Dispatch, ["sites"]).properties,
    notification_time: Timestamp,
    void_reason: nullable(Type.String({ description: "Why it was voided after its end; null unless it was." })),
    sites: Type.Array(OperatorDispatchSite),
  },
  { $id: "OperatorDispatch" },
);
export type OperatorDispatch = Static<typeof OperatorDispatch>;

const ExcludedSites = Type.Array(Type.Object({ site_id: Type.String(), reason: Type.String() }), {
  description: "Sites left out because they are not available in the period.",
});

/** A dispatch in a list, where its sites may be left out. */
export const ListedDispatch = Type.Object(
  {
    ...OperatorDispatch.properties,
    site_count: Type.Integer({ description: "How many sites are called." }),
    commitment_kw: Type.Number({ description: "Sum of their commitments; null counts 0." }),
  },
  { $id: "ListedDispatch" },
);
export type ListedDispatch = Static<typeof ListedDispatch>;

/** Another dispatch that calls a site in an overlapping time. */
const Overlap = Type.Object(
  {
    dispatch_id: id("dispatch", "The other dispatch."),
    program: Type.String({ description: "Name of its program." }),
    until: nullable({ ...Timestamp, description: "When it ends; null while that is not known." }),
    test: Type.Boolean({ description: "true: a test, the participant's own among them." }),
  },
  { $id: "DispatchOverlap" },
);
const overlaps = Type.Array(Overlap, {
  description:
    "Other dispatches of the site in an overlapping time, earliest first; cancelled ones do not count. One without an end counts as 24 hours long, from its start or, once it runs, from now. It is allowed.",
});

/** A dispatch that was issued or changed, with the other dispatches of its sites. */
export const ChangedDispatch = Type.Object(
  {
    ...OperatorDispatch.properties,
    sites: Type.Array(Type.Object({ ...OperatorDispatchSite.properties, overlaps })),
  },
  { $id: "ChangedDispatch" },
);

export const CreatedDispatch = Type.Object(
  {
    ...ChangedDispatch.properties,
    excluded_sites: ExcludedSites,
  },
  { $id: "CreatedDispatch" },
);

export const DispatchWithHistory = Type.Object(
  { ...OperatorDispatch.properties, revisions: Type.Array(Revision, { description: "Every revision, oldest first." }) },
  { $id: "DispatchWithHistory" },
);

const Channel = Type.Object(
  {
    channel: Type.Enum(["webhook", "openadr", "rest"]),
    description: Type.String({ description: "URL of the webhook, name of the VEN, or how many keys there are." }),
    last_seen_at: nullable({
      ...Timestamp,
      description: "Last successful delivery, poll of the VEN, or GET /dispatches, to the minute.",
    }),
  },
  { $id: "Channel" },
);

const committed = {
  sites: Type.Integer({ description: "How many sites are called." }),
  commitment_kw: Type.Number({ description: "Sum of their commitments; null counts 0." }),
};

const PreviewedAccount = Type.Object(
  {
    account_id: id("account", "Account."),
    name: Type.String(),
    ...committed,
    commitment_unknown_sites: Type.Integer({ description: "Those whose commitment is null." }),
    channels: Type.Array(Channel, { description: "How it would hear of the dispatch." }),
    mail_contacts: Type.Integer({ description: "Who would be mailed when its webhooks fail." }),
    warnings: Type.Array(Type.String(), { description: "Why it may not hear of it, in plain words." }),
  },
  { $id: "PreviewedAccount" },
);

export const DispatchPreview = Type.Object(
  {
    ...committed,
    excluded_sites: ExcludedSites,
    overlapping_sites: Type.Array(
      Type.Object({
        site_id: id("site", "Site."),
        name: Type.String({ description: "Its name." }),
        account_id: id("account", "Account of the site."),
        overlaps,
      }),
      {
        description: "Sites that are dispatched already in an overlapping time; the dispatch calls them all the same.",
      },
    ),
    accounts: Type.Array(PreviewedAccount),
  },
  { $id: "DispatchPreview" },
);
export type DispatchPreview = Static<typeof DispatchPreview>;

const NewDispatch = Type.Object({
  program_id: Type.String({ description: "Program that calls." }),
  start_time: Timestamp,
  end_time: Type.Optional(nullable(Timestamp)),
  notification_time: Type.Optional(Timestamp),
  test: Type.Optional(Type.Boolean({ description: "A test, not a market call; false unless given." })),
  sites: Type.Optional(
    Type.Array(Type.Object({ site_id: Type.String(), commitment: Type.Optional(Commitment) }), {
      minItems: 1,
      maxItems: 50_000,
    }),
  ),
});

export const createDispatch = endpoint({
  id: "createDispatch",
  method: "POST",
  path: "/dispatches",
  once: "within",
  tag: "Dispatches",
  summary: "Issue a dispatch",
  description:
    "Without `sites` every enrolled site is called with the commitment of its enrolment. Sites that are not available in the period are left out and listed in `excluded_sites`. A site that is dispatched already in an overlapping time is dispatched all the same; its `overlaps` say by what and until when.",
  body: NewDispatch,
  reply: CreatedDispatch,
  status: 201,
});
export const cancelTests = endpoint({
  id: "cancelTests",
  method: "POST",
  path: "/accounts/{id}/tests/cancel",
  once: "within",
  tag: "Dispatches",
  summary: "Cancel an account's own test dispatches",
  description:
    "Cancels every test dispatch that the participant created by POST /dispatches and that is not over. The participant is notified of each, as of any cancellation. Operators' test dispatches are left as they are.",
  params: byId,
  reply: Type.Object(
    {
      cancelled: Type.Array(id("dispatch", "Dispatch id."), {
        description: "The dispatches that were cancelled, oldest first.",
      }),
    },
    { $id: "CancelledTests" },
  ),
});
export const previewDispatch = endpoint({
  id: "previewDispatch",
  method: "POST",
  path: "/dispatches/preview",
  tag: "Dispatches",
  summary: "Preview a dispatch: its sites and the channels that would notify them",
  description: "Takes what issues a dispatch, and refuses what that refuses. Nothing is written and nobody is told.",
  body: NewDispatch,
  reply: DispatchPreview,
});
export const listAllDispatches = endpoint({
  id: "listAllDispatches",
  method: "GET",
  path: "/dispatches",
  tag: "Dispatches",
  summary: "List dispatches, newest first",
  description: "A page ends early once its dispatches have 20,000 sites together, unless `sites` is omit.",
  query: Type.Object({
    ...PageQuery.properties,
    state: Type.Optional(
      Type.Enum(["upcoming", "active", "past", "cancelled"], {
        description: "Where they stand now; active: from the start to the end, both included. All unless given.",
      }),
    ),
    program_id: Type.Optional(Type.String({ description: "Those of one program." })),
    sites: Type.Optional(
      Type.Enum(["omit"], { description: "omit: `sites` is empty; there may be tens of thousands." }),
    ),
  }),
  reply: pageOf(ListedDispatch),
});
export const getAnyDispatch = endpoint({
  id: "getAnyDispatch",
  method: "GET",
  path: "/dispatches/{id}",
  tag: "Dispatches",
  summary: "Retrieve a dispatch with its history",
  params: byId,
  reply: DispatchWithHistory,
});
export const changeDispatch = endpoint({
  id: "changeDispatch",
  method: "PATCH",
  path: "/dispatches/{id}",
  tag: "Dispatches",
  summary: "Change, end, cancel or void a dispatch",
  description:
    "`end_time` may lie in the past: the dispatch ends at once. `authorized: false` cancels; a cancelled dispatch cannot be changed. After its end a dispatch is voided by `authorized: false` with a `void_reason`: baselines leave its day out no more, its results are withdrawn, and participants are notified and see it as cancelled.",
  params: byId,
  body: Type.Object({
    start_time: Type.Optional(Timestamp),
    end_time: Type.Optional(nullable(Timestamp)),
    authorized: Type.Optional(Type.Boolean({ description: "Only false is supported." })),
    void_reason: Type.Optional(
      text(500, "Why a dispatch that is over is voided; required then, and refused before its end.", 1),
    ),
  }),
  reply: ChangedDispatch,
});
