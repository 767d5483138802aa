import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { ProgramType } from "../v2022-04-15/dispatch.js";
import { Commitment, id, nullable, Timestamp, Timezone, text } from "../values.js";
import { BaselineSetting, Holidays, StatusLimits } from "./baseline.js";
import { byId, PageQuery, pageOf } from "./list.js";

export const OpenAdrSettings = Type.Object({
  level: Type.Union([Type.Literal(1), Type.Literal(2)], { description: "Signal level of an event: 1 short, 2 long." }),
  ramp_up_seconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 86_400, description: "Time a site takes to come down." }),
  ),
  recovery_seconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 86_400, description: "Time a site takes to come back." }),
  ),
});

const cutoff = Type.Integer({
  minimum: 0,
  maximum: 31_536_000,
  description: "How long before its start an availability block must be told; 0 unless given.",
});

export const Program = Type.Object(
  {
    id: id("program", "Program id."),
    name: Type.String(),
    timezone: Type.String(),
    market: Type.String(),
    program_type: ProgramType,
    schedule_cutoff_seconds: Type.Integer(),
    openadr: nullable(OpenAdrSettings),
    baseline: nullable(BaselineSetting),
    holidays: Holidays,
    status_limits: nullable(StatusLimits),
    created_at: Timestamp,
  },
  { $id: "Program" },
);
export type Program = Static<typeof Program>;

const name = text(200, "Name of the program.", 1);
/** How dispatches of a program are measured. A dispatch keeps what held when it was created. */
const measurement = {
  baseline: Type.Optional(nullable(BaselineSetting)),
  holidays: Type.Optional(Holidays),
  status_limits: Type.Optional(nullable(StatusLimits)),
};
const market = text(200, 'Market, free text; "" for none.');

export const Enrolment = Type.Object(
  {
    program_id: id("program", "Program id."),
    site_id: id("site", "Site id."),
    commitment: Commitment,
    baseline: nullable(BaselineSetting),
  },
  { $id: "Enrolment" },
);

/** An enrolment in a list, with what is known of its site. */
export const EnrolledSite = Type.Object(
  {
    ...Enrolment.properties,
    site_name: Type.String(),
    dispatch_group: Type.String(),
    account_id: id("account", "Account of the site."),
    account_name: Type.String(),
  },
  { $id: "EnrolledSite" },
);

export type EnrolledSite = Static<typeof EnrolledSite>;

/** An enrolment of a site in a list, with what is known of its program. */
const SiteEnrolment = Type.Object(
  { ...Enrolment.properties, program_name: Type.String(), timezone: Type.String({ description: "Of the program." }) },
  { $id: "SiteEnrolment" },
);

export const createProgram = endpoint({
  id: "createProgram",
  method: "POST",
  path: "/programs",
  once: "within",
  tag: "Programs",
  summary: "Create a program",
  body: Type.Object({
    name,
    timezone: Timezone,
    market,
    program_type: ProgramType,
    schedule_cutoff_seconds: Type.Optional(cutoff),
    openadr: Type.Optional(nullable(OpenAdrSettings)),
    ...measurement,
  }),
  reply: Program,
  status: 201,
});
export const listPrograms = endpoint({
  id: "listPrograms",
  method: "GET",
  path: "/programs",
  tag: "Programs",
  summary: "List programs",
  query: PageQuery,
  reply: pageOf(Program),
});
export const getProgram = endpoint({
  id: "getProgram",
  method: "GET",
  path: "/programs/{id}",
  tag: "Programs",
  summary: "Retrieve a program",
  params: byId,
  reply: Program,
});
export const changeProgram = endpoint({
  id: "changeProgram",
  method: "PATCH",
  path: "/programs/{id}",
  tag: "Programs",
  summary: "Change a program",
  params: byId,
  body: Type.Object({
    name: Type.Optional(name),
    timezone: Type.Optional(Timezone),
    market: Type.Optional(market),
    program_type: Type.Optional(ProgramType),
    schedule_cutoff_seconds: Type.Optional(cutoff),
    openadr: Type.Optional(nullable(OpenAdrSettings)),
    ...measurement,
  }),
  reply: Program,
});

const enrolmentParams = Type.Object({ id: Type.String(), site_id: Type.String() });

export const listEnrolments = endpoint({
  id: "listEnrolments",
  method: "GET",
  path: "/programs/{id}/sites",
  tag: "Programs",
  summary: "List a program's enrolled sites",
  params: byId,
  query: PageQuery,
  reply: pageOf(EnrolledSite),
});
export const listSiteEnrolments = endpoint({
  id: "listSiteEnrolments",
  method: "GET",
  path: "/sites/{id}/enrolments",
  tag: "Programs",
  summary: "List the programs that a site is enrolled in",
  params: byId,
  query: PageQuery,
  reply: pageOf(SiteEnrolment),
});
export const enrolSite = endpoint({
  id: "enrolSite",
  method: "PUT",
  path: "/programs/{id}/sites/{site_id}",
  tag: "Programs",
  summary: "Enrol a site, or change its commitment and baseline",
  description: "What is left out of the body is taken away: without `baseline` the program's counts.",
  params: enrolmentParams,
  body: Type.Object({ commitment: Commitment, baseline: Type.Optional(nullable(BaselineSetting)) }),
  reply: Enrolment,
});
export const withdrawSite = endpoint({
  id: "withdrawSite",
  method: "DELETE",
  path: "/programs/{id}/sites/{site_id}",
  tag: "Programs",
  summary: "Withdraw a site from a program",
  params: enrolmentParams,
  status: 204,
});
