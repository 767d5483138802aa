import Type, { type Static } from "typebox";
import { MAX_SHIFT_HOURS, SHIFT_TEXT_CHARACTERS, USUAL_SHIFT_HOURS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { isTest } from "../v2022-04-15/dispatch.js";
import {
  accountName,
  byId,
  givenId,
  id,
  integer,
  moment,
  nullable,
  number,
  programName,
  ratio,
  string,
  timezone,
  version,
} from "../values.js";
import { actor, actorName, commitmentKw, record, siteCount } from "./dispatch.js";
import { PageQuery, pageOf } from "./list.js";

/** What a dispatch was at the end of a shift. */
export const shiftDispatchStates = ["upcoming", "active", "past", "cancelled", "voided"] as const;

const dispatchAtEnd = {
  dispatch_id: id("dispatch"),
  program_id: id("program"),
  program_name: programName,
  timezone: timezone("Time zone of the program."),
  test: isTest,
  start_time: moment("Start, as of the end of the shift.", "start"),
  end_time: nullable(moment("End, as of the end of the shift; null while it is open-ended.", "end")),
  sites: siteCount,
  commitment_kw: commitmentKw,
  accounts: nullable(integer("Number of its accounts; null if they were not counted.", 6)),
  accounts_notified: nullable(
    integer(
      "How many of them were notified of its latest change by the end of the shift; null for a record, or if they were not counted.",
      4,
    ),
  ),
};

export const ShiftDispatch = Type.Object(
  {
    ...dispatchAtEnd,
    state: Type.Enum([...shiftDispatchStates], { description: "What it was at the end of the shift." }),
    record,
    issued: Type.Boolean({ description: "`true`: it was issued in the shift.", examples: [false] }),
    changes: integer("How often it was changed, ended, cancelled or voided in the shift.", 1),
    delivered_kw: nullable(
      number(
        "While it was in progress at the end of the shift: what its sites delivered then, in kW. Once its result is known: their mean reduction. null if unknown.",
        2850,
      ),
    ),
    delivered_kwh: nullable(number("Energy that it delivered, in kWh; null until its result is known.", 5700)),
    performance: nullable(ratio("Delivered by committed, over its sites; null until its result is known.", 0.95)),
    result: Type.Enum(["none", "pending", "final", "approved"], {
      description: "Its result when the report was drawn up. `none`: it was not over, or there is no result of it.",
    }),
  },
  { $id: "ShiftDispatch", description: "A dispatch in a shift." },
);
export type ShiftDispatch = Static<typeof ShiftDispatch>;

export const ShiftAlarms = Type.Object(
  {
    title: string("What was wrong, counted over the shift.", "Peak relief: 30 accounts not notified"),
    cause: nullable(
      string("Cause of a shortfall; otherwise the kind of the alarms.", "not_notified"),
      "Cause of a shortfall; otherwise the kind of the alarms. null in a report that an earlier version kept.",
    ),
    kind: nullable(
      string("First kind of the alarms.", "notice_failed"),
      "First kind of the alarms, in the order of the alphabet. null in a report that an earlier version kept.",
    ),
    program_name: nullable(
      programName,
      "Program of the dispatch; null without one, and in a report that an earlier version kept.",
    ),
    accounts: nullable(
      integer("Number of accounts concerned.", 30),
      "Number of accounts concerned. null in a report that an earlier version kept.",
    ),
    dispatch_id: nullable(id("dispatch", "Dispatch of the alarms; null without one.")),
    alarms: integer("Number of alarms that stood at some time of the shift.", 30),
    raised: integer("How many of them were raised in it.", 28),
    acknowledged: integer("How many were acknowledged in it.", 30),
    acknowledged_by: Type.Array(string("A person.", "Ana Lopez"), {
      description: "Who acknowledged them, by name; at most five.",
    }),
    cleared: integer("How many were cleared in it.", 24),
    open: integer("How many stood at its end.", 6),
    open_unacknowledged: integer("How many of these nobody had acknowledged.", 2),
    shelved: integer("How many of these are shelved beyond its end.", 0),
    assigned_to: nullable(
      string("Person or desk that takes care of those that stood; null for none, or several.", "Desk 2"),
    ),
    since: moment("When the first of them was raised.", "notified"),
  },
  { $id: "ShiftAlarms", description: "Alarms of a shift with the same dispatch and cause, or of one kind." },
);
export type ShiftAlarms = Static<typeof ShiftAlarms>;

export const ShiftCall = Type.Object(
  {
    at: moment("When the person was reached.", "now"),
    dispatch_id: id("dispatch"),
    program_name: programName,
    account_id: id("account"),
    account_name: accountName,
    person: string("Who was reached.", "Ana Lopez"),
    note: string("What was said; cut after 500 characters.", "will start the generator at once"),
    by: actor,
    by_name: actorName,
  },
  { $id: "ShiftCall", description: "A phone call of a shift." },
);
export type ShiftCall = Static<typeof ShiftCall>;

export const ShiftChange = Type.Object(
  {
    action: string("What was done, as in the audit log.", "site.change"),
    by: actor,
    by_name: actorName,
    by_account_name: nullable(string("Account of the user; null for operators.", "Northgate Foods")),
    count: integer("How often.", 12),
    subjects: Type.Array(string("A name.", "Northgate Store 12"), {
      description: "Names of what was changed, as far as it has any; at most five.",
    }),
    first_at: moment("The first time.", "created"),
    last_at: moment("The last time.", "now"),
  },
  { $id: "ShiftChange", description: "What a person did in a shift, one kind of action." },
);
export type ShiftChange = Static<typeof ShiftChange>;

export const UpcomingInShift = Type.Object(dispatchAtEnd, {
  $id: "UpcomingInShift",
  description: "A dispatch that starts after a shift.",
});

const section = <S extends Type.TSchema>(item: S, most: number, description: string) =>
  Type.Object(
    {
      count: integer("How many there are, also those that `items` leaves out.", 3),
      items: Type.Array(item, { description: `At most ${most}.` }),
    },
    { description },
  );

const period = {
  from_time: moment("Start of the shift, inclusive.", "created"),
  to_time: moment("End of the shift, exclusive.", "end"),
};

/** What a report is drawn up from. */
export const drawnMembers = {
  ...period,
  drawn_at: moment("When the report was drawn up: it says what was known then.", "end"),
  dispatches: section(
    ShiftDispatch,
    50,
    "Dispatches that were in progress, issued or changed, without participants' own tests and the simulated site. By start.",
  ),
  alarms: Type.Object(
    {
      count: integer("Number of groups of alarms, also those that `items` leaves out.", 3),
      raised: integer("Number of alarms raised in the shift, of all groups.", 51),
      acknowledged: integer("Number of alarms acknowledged in it.", 51),
      cleared: integer("Number of alarms cleared in it.", 44),
      open: integer("Number of alarms that stood at its end.", 7),
      open_unacknowledged: integer("How many of these nobody had acknowledged.", 2),
      shelved: integer("How many of these are shelved beyond its end.", 0),
      items: Type.Array(ShiftAlarms, { description: "At most 50: first those that stood at the end." }),
    },
    { description: "Alarms that stood at some time of the shift, by dispatch and cause." },
  ),
  calls: section(ShiftCall, 100, "Phone calls that were recorded in the shift, oldest first."),
  changes: section(
    ShiftChange,
    60,
    "What people changed, by person and kind of action, oldest first; without what other sections show, sign-ins and people's own settings.",
  ),
  next: section(UpcomingInShift, 20, "Dispatches that start within 24 hours after the shift, by start."),
};

const writing = (of: string, example: string) =>
  Type.String({
    maxLength: SHIFT_TEXT_CHARACTERS,
    // As other text, but of several lines.
    pattern: "^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$",
    description: `${of}; "" for none. Lines end with a line feed.`,
    examples: [example],
  });

/** What people write in a report. */
export const shiftTexts = {
  summary: writing("What the next shift has to know first", "Peak relief ran to its end, 95%. Two accounts to call."),
  dispatches_note: writing("About the dispatches", "Fast reserve was ended early at the grid operator's request."),
  alarms_note: writing("About the alarms", "Mail server is back since 16:40."),
  calls_note: writing("About the phone calls", "Northgate Foods calls back at 18:00."),
  changes_note: writing("About the changes", "Limits of Summer Peak were agreed with the program manager."),
  next_note: writing("About what is next", "Tonight's test needs a second person."),
};

export const ShiftReportDraft = Type.Object(
  {
    previous: nullable(
      Type.Object({ id: id("shift_report"), ...period }, { description: "The report that was kept last." }),
      "The report that was kept last; null without any. Send its id as `previous_id` to keep this one.",
    ),
    ...drawnMembers,
  },
  { $id: "ShiftReportDraft", description: "A shift report that is not kept." },
);
export type ShiftReportDraft = Static<typeof ShiftReportDraft>;

const ReportVersion = Type.Object(
  {
    version: version("Number of the version."),
    at: moment("When it was saved.", "end"),
    by: actor,
    by_name: actorName,
  },
  { description: "A version of a report." },
);

export const ShiftReport = Type.Object(
  {
    id: id("shift_report"),
    version: version("Version that is shown."),
    versions: Type.Array(ReportVersion, { description: "All versions, oldest first." }),
    ...shiftTexts,
    ...drawnMembers,
  },
  {
    $id: "ShiftReport",
    description: "A shift report that was kept. Only its texts have versions: what it was drawn up from never changes.",
  },
);
export type ShiftReport = Static<typeof ShiftReport>;

export const ShiftReportItem = Type.Object(
  {
    id: id("shift_report"),
    ...period,
    summary: shiftTexts.summary,
    dispatches: integer("Number of its dispatches.", 3),
    alarms_open: integer("Number of alarms that stood at its end.", 7),
    version: version("Newest version."),
    kept_at: moment("When it was kept.", "end"),
    kept_by: actor,
    kept_by_name: actorName,
    changed_at: moment("When its newest version was saved.", "end"),
    changed_by: actor,
    changed_by_name: actorName,
  },
  { $id: "ShiftReportItem", description: "A shift report in a list." },
);
export type ShiftReportItem = Static<typeof ShiftReportItem>;

const tag = "Shift reports";

export const draftShiftReport = endpoint({
  id: "draftShiftReport",
  method: "GET",
  path: "/shift-reports/draft",
  tag,
  summary: "Preview a shift report",
  description: `Draws up what happened in a period of at most ${MAX_SHIFT_HOURS} hours, for the hand-over to the next shift. Nothing is stored.`,
  query: Type.Object({
    from_time: Type.Optional(
      moment(
        `Start of the shift. Default: the end of the report that was kept last; ${USUAL_SHIFT_HOURS} hours before the end if there is none within ${MAX_SHIFT_HOURS} hours.`,
        "created",
      ),
    ),
    to_time: Type.Optional(moment("End of the shift, not in the future. Default: now.", "end")),
  }),
  reply: ShiftReportDraft,
});

const given = Object.fromEntries(Object.entries(shiftTexts).map(([name, schema]) => [name, Type.Optional(schema)])) as {
  readonly [Name in keyof typeof shiftTexts]: Type.TOptional<Type.TString>;
};

export const keepShiftReport = endpoint({
  id: "keepShiftReport",
  method: "POST",
  path: "/shift-reports",
  once: "within",
  tag,
  summary: "Create a shift report that is kept",
  description:
    "Draws up the report of the period and keeps it as version 1, with the texts. What it was drawn up from never changes afterwards. With `previous_id`, it is refused if another report was kept since that one.",
  body: Type.Object({
    ...period,
    previous_id: Type.Optional(
      nullable(
        givenId("shift_report"),
        "`previous.id` of the draft, or null if it had none. Default: keep the report in any case.",
      ),
    ),
    ...given,
  }),
  status: 201,
  reply: ShiftReport,
});

export const listShiftReports = endpoint({
  id: "listShiftReports",
  method: "GET",
  path: "/shift-reports",
  tag,
  summary: "List shift reports, the one kept last first",
  description: "Returns the reports that were kept, with the texts of their newest version.",
  query: PageQuery,
  reply: pageOf(ShiftReportItem),
});

export const getShiftReport = endpoint({
  id: "getShiftReport",
  method: "GET",
  path: "/shift-reports/{id}",
  tag,
  summary: "Retrieve a shift report",
  description: "Returns a report that was kept: the newest version, or any other.",
  params: byId("shift_report"),
  query: Type.Object({ version: Type.Optional(version("Version of the texts. Default: the newest.")) }),
  reply: ShiftReport,
});

export const changeShiftReport = endpoint({
  id: "changeShiftReport",
  method: "PATCH",
  path: "/shift-reports/{id}",
  once: "within",
  tag,
  summary: "Change the texts of a shift report",
  description:
    "Saves the texts as the next version; earlier versions can still be retrieved. Texts that are left out stay. They are refused if another person saved a version since the one that was read. Without a difference, no version is made.",
  params: byId("shift_report"),
  body: Type.Object({ version: version("Version that was read; it must be the newest."), ...given }),
  reply: ShiftReport,
});
