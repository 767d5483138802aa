import Type, { type Static } from "typebox";
import { LONGEST_OPEN_HOURS, NAME_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { ProgramType, market as wireMarket } from "../v2022-04-15/dispatch.js";
import {
  accountName,
  boolean,
  byId,
  Commitment,
  dispatchGroup,
  id,
  integer,
  moment,
  nullable,
  programName,
  siteName,
  Timezone,
  text,
  timezone,
} from "../values.js";
import { BaselineSetting, Holidays, StatusLimits } from "./baseline.js";
import { ConfirmRunningQuery } from "./confirm-running.js";
import { calendarSettings } from "./holidays.js";
import { PageQuery, pageOf } from "./list.js";

const ramp = (description: string) => Type.Optional(integer(description, 300, { minimum: 0, maximum: 86_400 }));

export const OpenAdrSettings = Type.Object(
  {
    level: Type.Union([Type.Literal(1), Type.Literal(2)], {
      description: "Signal level: 1 for short events, 2 for long ones.",
    }),
    ramp_up_seconds: ramp("Time that sites need to reduce their load, in seconds."),
    recovery_seconds: ramp("Time that sites need to return to normal, in seconds."),
  },
  {
    description:
      "How VENs get the program's dispatches; null: the signal level of the program type, without ramp-up and recovery.",
  },
);

const testsAreEvents = boolean(
  "Whether days with operators' tests are left out of look-backs, as days with other dispatches are. Default: true.",
  true,
);

const correctionsDays = nullable(
  integer(
    "Days after the end of a dispatch until which corrections change its result. Later versions are listed with it. null: for ever.",
    60,
    { minimum: 1, maximum: 3650 },
  ),
);

const longestOpenHours = (description: string) =>
  integer(`${description} in hours. Operators are alarmed about a longer one until it ends.`, LONGEST_OPEN_HOURS, {
    minimum: 1,
    maximum: 8760,
  });

const isPublic = boolean(
  "Whether the VENs of all accounts see the program over OpenADR 3. Otherwise those of accounts with an enrolment, a dispatch or an event of yours in it do. Default: false.",
  false,
);

const cutoffDescription = "Minimum time between sending an availability block and its start, in seconds.";

export const Program = Type.Object(
  {
    id: id("program"),
    name: programName,
    timezone: timezone("Time zone of the program."),
    market: wireMarket,
    program_type: ProgramType,
    schedule_cutoff_seconds: integer(cutoffDescription, 0),
    openadr: nullable(OpenAdrSettings),
    baseline: nullable(BaselineSetting),
    holidays: Holidays,
    ...calendarSettings,
    status_limits: nullable(StatusLimits),
    tests_are_events: testsAreEvents,
    corrections_days: correctionsDays,
    longest_open_hours: longestOpenHours("Longest expected duration of a dispatch without an end,"),
    public: isPublic,
    simulated: boolean("Whether the program belongs to the simulated site: its dispatches count nowhere.", false),
    created_at: moment("When the program was created.", "created"),
  },
  { $id: "Program", description: "A scheme under which sites are dispatched." },
);
export type Program = Static<typeof Program>;

const name = text(NAME_CHARACTERS, "Name of the program.", "Summer Peak", 1);
const market = text(NAME_CHARACTERS, 'Market, as free text; "" for none.', "ERCOT");
const settings = {
  schedule_cutoff_seconds: Type.Optional(
    integer(`${cutoffDescription} Default: 0.`, 0, { minimum: 0, maximum: 31_536_000 }),
  ),
  openadr: Type.Optional(nullable(OpenAdrSettings)),
  // How dispatches are measured; a dispatch keeps the settings of its creation.
  baseline: Type.Optional(nullable(BaselineSetting)),
  holidays: Type.Optional(Holidays),
  holiday_calendar: Type.Optional(calendarSettings.holiday_calendar),
  added_holidays: Type.Optional(calendarSettings.added_holidays),
  removed_holidays: Type.Optional(calendarSettings.removed_holidays),
  status_limits: Type.Optional(nullable(StatusLimits)),
  tests_are_events: Type.Optional(testsAreEvents),
  corrections_days: Type.Optional(correctionsDays),
  longest_open_hours: Type.Optional(
    longestOpenHours(`Default: ${LONGEST_OPEN_HOURS}. Longest expected duration of a dispatch without an end,`),
  ),
  public: Type.Optional(isPublic),
};

export const Enrolment = Type.Object(
  {
    program_id: id("program"),
    site_id: id("site"),
    commitment: Commitment,
    baseline: nullable(BaselineSetting, "How the baseline of the site is computed. null: as for the program."),
  },
  { $id: "Enrolment", description: "Membership of a site in a program." },
);

/** An enrolment in the list of a program, with its site. */
export const EnrolledSite = Type.Object(
  {
    ...Enrolment.properties,
    site_name: siteName,
    dispatch_group: dispatchGroup,
    account_id: id("account", "Account of the site."),
    account_name: accountName,
  },
  { $id: "EnrolledSite", description: "An enrolment with its site." },
);

export type EnrolledSite = Static<typeof EnrolledSite>;

/** An enrolment in the list of a site, with its program. */
const SiteEnrolment = Type.Object(
  { ...Enrolment.properties, program_name: programName, timezone: timezone("Time zone of the program.") },
  { $id: "SiteEnrolment", description: "An enrolment with its program." },
);

export const createProgram = endpoint({
  id: "createProgram",
  method: "POST",
  path: "/programs",
  once: "within",
  tag: "Programs",
  summary: "Create a program",
  description: "The program has no sites yet; enrol them next. An unknown time zone or baseline preset gets 400.",
  body: Type.Object({ name, timezone: Timezone, market, program_type: ProgramType, ...settings }),
  reply: Program,
  status: 201,
});
export const listPrograms = endpoint({
  id: "listPrograms",
  method: "GET",
  path: "/programs",
  tag: "Programs",
  summary: "List programs",
  description: "Returns all programs in order of creation.",
  query: PageQuery,
  reply: pageOf(Program),
});
export const getProgram = endpoint({
  id: "getProgram",
  method: "GET",
  path: "/programs/{id}",
  tag: "Programs",
  summary: "Retrieve a program",
  description: "Returns the program's settings. Its enrolled sites have a list of their own.",
  params: byId("program"),
  reply: Program,
});
export const changeProgram = endpoint({
  id: "changeProgram",
  method: "PATCH",
  path: "/programs/{id}",
  tag: "Programs",
  summary: "Change a program",
  description:
    "Members that are left out keep their value. Existing dispatches keep the name and the measurement settings of their creation.",
  params: byId("program"),
  body: Type.Object({
    name: Type.Optional(name),
    timezone: Type.Optional(Timezone),
    market: Type.Optional(market),
    program_type: Type.Optional(ProgramType),
    ...settings,
  }),
  reply: Program,
});

const enrolmentParams = Type.Object({ id: id("program"), site_id: id("site") });

export const listEnrolments = endpoint({
  id: "listEnrolments",
  method: "GET",
  path: "/programs/{id}/sites",
  tag: "Programs",
  summary: "List a program's enrolled sites",
  description: "Returns the enrolments with the names of sites and accounts.",
  params: byId("program"),
  query: PageQuery,
  reply: pageOf(EnrolledSite),
});
export const listSiteEnrolments = endpoint({
  id: "listSiteEnrolments",
  method: "GET",
  path: "/sites/{id}/enrolments",
  tag: "Programs",
  summary: "List the programs of a site",
  description: "Returns the enrolments of the site with the names of the programs.",
  params: byId("site"),
  query: PageQuery,
  reply: pageOf(SiteEnrolment),
});
export const enrolSite = endpoint({
  id: "enrolSite",
  method: "PUT",
  path: "/programs/{id}/sites/{site_id}",
  tag: "Programs",
  summary: "Enrol a site, or change its enrolment",
  description:
    "The body replaces the enrolment: without `baseline`, the program's applies. New dispatches of the program include the site; existing ones do not change.",
  params: enrolmentParams,
  body: Type.Object({ commitment: Commitment, baseline: Type.Optional(Enrolment.properties.baseline) }),
  reply: Enrolment,
});
export const withdrawSite = endpoint({
  id: "withdrawSite",
  method: "DELETE",
  path: "/programs/{id}/sites/{site_id}",
  tag: "Programs",
  summary: "Withdraw a site from a program",
  description: "New dispatches of the program leave the site out; existing ones do not change.",
  params: enrolmentParams,
  query: ConfirmRunningQuery,
  status: 204,
});
