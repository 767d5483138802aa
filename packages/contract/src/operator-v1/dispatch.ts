import Type, { type Static } from "typebox";
import { VOID_REASON_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { previewChannels } from "../lists/channels.js";
import {
  Dispatch,
  DispatchSite,
  dispatchDetails,
  dispatchEnd,
  dispatchStart,
  givenDetails,
  modificationNumber,
} from "../v2022-04-15/dispatch.js";
import {
  accountName,
  boolean,
  byId,
  Commitment,
  givenId,
  id,
  integer,
  moment,
  nullable,
  number,
  onlyFalse,
  programName,
  siteName,
  string,
  text,
} from "../values.js";
import { PageQuery, pageOf } from "./list.js";

/** Who acted: the operator token, the service, an API key, a user, or the holder of a VEN's link. */
export const actor = string(
  "Who acted: `operator`, `service`, `key:<id>` for a participant's system, `user:<id>` for a signed-in user, or `ven:<id>` for the holder of a VEN's link.",
  "user:usr_5x8c1v4b7n2m",
);
export const actorName = nullable(string("Name of the user, also after deletion; null for other actors.", "Ana Lopez"));
export const voidReason = nullable(
  string("Why the dispatch was voided after its end; null unless it was.", "issued for the wrong day"),
);
export const record = boolean(
  "`true`: the dispatch was over when it was created. It is measured, and nobody is notified of it.",
);
/** Total of the sites. */
export const commitmentKw = number("Sum of the commitments of the sites in kW; a null commitment counts as 0.", 3000);
export const siteCount = integer("Number of sites in the dispatch.", 12);

export const notificationTime = moment(
  "When participants are notified. Before then the dispatch is hidden from them.",
  "notified",
);
const authorized = boolean("`false`: the dispatch is cancelled, or void.", true);

const Revision = Type.Object(
  {
    modification_number: modificationNumber,
    at: moment("When the change was made.", "created"),
    actor,
    actor_name: actorName,
    start_time: dispatchStart,
    end_time: dispatchEnd,
    authorized,
  },
  { $id: "DispatchRevision", description: "A dispatch as it was from one change until the next." },
);

const OperatorDispatchSite = Type.Object({
  ...DispatchSite.properties,
  account_id: id("account", "Account of the site."),
});

/** A dispatch across accounts, with its notification time. */
export const OperatorDispatch = Type.Object(
  {
    ...Type.Omit(Dispatch, ["sites"]).properties,
    notification_time: notificationTime,
    void_reason: voidReason,
    record,
    sites: Type.Array(OperatorDispatchSite, { description: "Sites of all accounts in the dispatch." }),
  },
  { $id: "OperatorDispatch", description: "A dispatch with the sites of all accounts." },
);
export type OperatorDispatch = Static<typeof OperatorDispatch>;

const ExcludedSites = Type.Array(
  Type.Object({
    site_id: id("site", "Site that is left out."),
    reason: string("Why the site is left out.", "not available from 18:00 to 20:00"),
  }),
  { description: "Sites left out because they are not available in the period, or because their account is disabled." },
);

/** A dispatch in a list, where its sites may be left out. */
export const ListedDispatch = Type.Object(
  { ...OperatorDispatch.properties, site_count: siteCount, commitment_kw: commitmentKw },
  { $id: "ListedDispatch", description: "A dispatch in a list." },
);
export type ListedDispatch = Static<typeof ListedDispatch>;

/** Another dispatch of the same site in an overlapping period (G51). */
const Overlap = Type.Object(
  {
    dispatch_id: id("dispatch", "The other dispatch."),
    program: programName,
    until: nullable(moment("When the other dispatch ends; null while that is not known.", "end")),
    test: boolean("`true`: a test dispatch, possibly the participant's own."),
  },
  { $id: "DispatchOverlap", description: "Another dispatch of the same site in an overlapping period." },
);
const overlaps = Type.Array(Overlap, {
  description:
    "Other dispatches of the site in an overlapping period, earliest first. Overlaps are allowed. Cancelled dispatches are not listed. A dispatch without an end counts as 24 hours long, from its start or, once it is in progress, from now.",
});

/** A dispatch that was issued or changed, with the overlapping dispatches of its sites. */
export const ChangedDispatch = Type.Object(
  {
    ...OperatorDispatch.properties,
    sites: Type.Array(Type.Object({ ...OperatorDispatchSite.properties, overlaps }), {
      description: "Sites of all accounts in the dispatch, with their overlaps.",
    }),
  },
  { $id: "ChangedDispatch", description: "A dispatch after the change." },
);

export const CreatedDispatch = Type.Object(
  { ...ChangedDispatch.properties, excluded_sites: ExcludedSites },
  { $id: "CreatedDispatch", description: "A dispatch that was issued." },
);

export const DispatchWithHistory = Type.Object(
  { ...OperatorDispatch.properties, revisions: Type.Array(Revision, { description: "All revisions, oldest first." }) },
  { $id: "DispatchWithHistory", description: "A dispatch with its revisions." },
);

const Channel = Type.Object(
  {
    channel: Type.Enum([...previewChannels], { description: "Channel of the notification." }),
    description: string(
      "URL of the webhook, name of the VEN or client, or the number of API keys.",
      "https://example.com/hooks",
    ),
    last_seen_at: nullable(
      moment(
        "Last successful delivery, poll of the VEN, or GET /dispatches, to the minute; null if there was none.",
        "created",
      ),
    ),
  },
  { $id: "AccountChannel", description: "A channel that notifies an account." },
);

const committed = { sites: siteCount, commitment_kw: commitmentKw };

const PreviewedAccount = Type.Object(
  {
    account_id: id("account"),
    name: accountName,
    ...committed,
    commitment_unknown_sites: integer("Number of sites without a commitment.", 0),
    channels: Type.Array(Channel, { description: "Channels that would notify the account." }),
    mail_contacts: integer("Number of contacts that get an email if the other channels fail.", 2),
    warnings: Type.Array(string("A warning.", "no webhook has answered in the last 24 hours"), {
      description: "Reasons why the notification might not reach the account.",
    }),
  },
  { $id: "PreviewedAccount", description: "An account in the dispatch, and how it would be notified." },
);

export const DispatchPreview = Type.Object(
  {
    ...committed,
    excluded_sites: ExcludedSites,
    overlapping_sites: Type.Array(
      Type.Object({
        site_id: id("site"),
        name: siteName,
        account_id: id("account", "Account of the site."),
        overlaps,
      }),
      { description: "Sites with another dispatch in an overlapping period. They would be dispatched as well." },
    ),
    record,
    confirm_past: boolean(
      "`true`: the start is more than 5 minutes in the past, so issuing the dispatch requires `confirm_past`.",
    ),
    accounts: Type.Array(PreviewedAccount, { description: "Accounts in the dispatch." }),
  },
  { $id: "DispatchPreview", description: "What a dispatch would do." },
);
export type DispatchPreview = Static<typeof DispatchPreview>;

const NewDispatch = Type.Object({
  program_id: givenId("program", "Program under which the dispatch is issued."),
  start_time: moment("Start of the dispatch, at most a year ahead.", "start"),
  end_time: Type.Optional(
    nullable(moment("End of the dispatch, at most 31 days after the start. Default: null, not known yet.", "end")),
  ),
  notification_time: Type.Optional(
    moment("When participants are notified. Default: now, which also takes the place of an earlier time.", "notified"),
  ),
  test: Type.Optional(boolean("`true`: a test dispatch, not a response to a market call. Default: `false`.")),
  ...givenDetails,
  confirm_past: Type.Optional(
    boolean(
      "Whether a `start_time` more than 5 minutes in the past is meant; it is refused otherwise. Default: `false`.",
    ),
  ),
  sites: Type.Optional(
    Type.Array(
      Type.Object({
        site_id: givenId("site"),
        commitment: Type.Optional(
          nullable(Commitment.anyOf[0], "Commitment in kW; null for none. Default: that of the site's enrolment."),
        ),
      }),
      {
        minItems: 1,
        maxItems: 50_000,
        description: "Sites to dispatch. Default: all sites enrolled in the program.",
      },
    ),
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
    "Dispatches the given sites, or all sites enrolled in the program, with the commitments of their enrolments. Participants are notified at the notification time.\n\nSites that are not available in the period are left out and listed in `excluded_sites`; if no site remains, the reply is 400. A site that is already dispatched in an overlapping period is dispatched as well, and its `overlaps` name the other dispatches. A period in the past is allowed with `confirm_past`, to measure what was delivered: a dispatch whose end is in the past is a record, and nobody is notified of it.",
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
    "Cancels every test dispatch that the participant created with POST /dispatches and that is not over. The participant is notified as of any cancellation. Test dispatches issued by operators do not change.",
  params: byId("account"),
  reply: Type.Object(
    {
      cancelled: Type.Array(id("dispatch"), { description: "The cancelled dispatches, oldest first." }),
    },
    { $id: "CancelledTests", description: "Test dispatches that were cancelled." },
  ),
});
export const previewDispatch = endpoint({
  id: "previewDispatch",
  method: "POST",
  path: "/dispatches/preview",
  tag: "Dispatches",
  summary: "Preview a dispatch",
  description:
    "Returns the sites that would be dispatched and the channels that would notify their accounts. Accepts and rejects the same requests as issuing a dispatch, and asks for `confirm_past` only in its reply. Nothing is stored and nobody is notified.",
  body: NewDispatch,
  reply: DispatchPreview,
});
export const listAllDispatches = endpoint({
  id: "listAllDispatches",
  method: "GET",
  path: "/dispatches",
  tag: "Dispatches",
  summary: "List dispatches, newest first",
  description:
    "Returns dispatches of any age and of all accounts. A page ends early once its dispatches have 20,000 sites together, unless `sites` is `omit`.",
  query: Type.Object({
    ...PageQuery.properties,
    state: Type.Optional(
      Type.Enum(["upcoming", "active", "past", "cancelled"], {
        description: "State of the dispatches. `active`: in progress. Default: all.",
      }),
    ),
    program_id: Type.Optional(id("program", "Only dispatches of this program.")),
    site_id: Type.Optional(id("site", "Only dispatches that include this site.")),
    start_time: Type.Optional(moment("Start of a period: only dispatches that end after it.", "start")),
    end_time: Type.Optional(moment("End of the period: only dispatches that start before it.", "end")),
    sites: Type.Optional(
      Type.Enum(["omit"], { description: "`omit`: leave `sites` empty, since there may be tens of thousands." }),
    ),
  }),
  reply: pageOf(ListedDispatch),
});
export const getAnyDispatch = endpoint({
  id: "getAnyDispatch",
  method: "GET",
  path: "/dispatches/{id}",
  tag: "Dispatches",
  summary: "Retrieve a dispatch with its revisions",
  description: "Returns the dispatch with the sites of all accounts, also before its notification time.",
  params: byId("dispatch"),
  reply: DispatchWithHistory,
});
/** Members of a change that update a dispatch, rather than cancel or void it. */
export const dispatchUpdates = ["start_time", "end_time", ...Object.keys(dispatchDetails)];
const updates = dispatchUpdates.map((name) => `\`${name}\``);

export const changeDispatch = endpoint({
  id: "changeDispatch",
  method: "PATCH",
  path: "/dispatches/{id}",
  tag: "Dispatches",
  summary: "Change, end, cancel or void a dispatch",
  description: `Members that are left out keep their value. Participants are notified of each change after the notification time; a request that changes nothing notifies nobody.\n\n- Update: set ${updates.slice(0, -1).join(", ")} or ${updates.at(-1)}. A known end cannot be set back to null.\n- End: set \`end_time\` to now or earlier. A dispatch without an end can be ended however long it has lasted; an end in advance is at most 31 days from then.\n- Cancel: set \`authorized\` to false. A cancelled dispatch cannot be changed.\n- Void, after the end only: set \`authorized\` to false and give a \`void_reason\`. The results are withdrawn, baselines may use the day again, and participants see the dispatch as cancelled.`,
  params: byId("dispatch"),
  body: Type.Object({
    start_time: Type.Optional(dispatchStart),
    end_time: Type.Optional(nullable(moment("End of the dispatch. A time in the past ends it at once.", "end"))),
    ...givenDetails,
    authorized: Type.Optional(onlyFalse("Only `false` is supported: cancel or void the dispatch.")),
    void_reason: Type.Optional(
      text(
        VOID_REASON_CHARACTERS,
        "Why the dispatch is voided. Required after the end of the dispatch, refused before it.",
        "issued for the wrong day",
        1,
      ),
    ),
  }),
  reply: ChangedDispatch,
});
