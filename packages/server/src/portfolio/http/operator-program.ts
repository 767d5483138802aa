import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { serve } from "../../platform/http/endpoint.js";
import { given } from "../../platform/http/given.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { done, isRefusal, mapResult, notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { StatusSetting } from "../domain/measurement.js";
import { type Enrolment, LONGEST_OPEN_HOURS, type OpenAdrSettings, type Program } from "../domain/program.js";
import { canonicalTimezone } from "../domain/timezone.js";
import { chosenCalendar, type HolidayCalendars } from "../operations/holiday-calendars.js";
import { changeProgram, createProgram, enrolSite, withdrawSite } from "../operations/manage-programs.js";
import type { SiteManagingStores } from "../operations/manage-sites.js";
import type { EnrolledSite, SiteEnrolment } from "../operations/portfolio-stores.js";

const toWire = (program: Program): operator.Program => ({
  id: program.id,
  name: program.name,
  timezone: program.timezone,
  market: program.market,
  program_type: program.programType as operator.Program["program_type"],
  schedule_cutoff_seconds: program.scheduleCutoffSeconds,
  openadr: program.openadr,
  baseline: program.baseline,
  holidays: [...program.holidays],
  holiday_calendar: program.holidayCalendar?.code ?? null,
  added_holidays: [...(program.holidayCalendar?.added ?? [])],
  removed_holidays: [...(program.holidayCalendar?.removed ?? [])],
  status_limits: limitsToWire(program.statusLimits),
  tests_are_events: program.testsAreEvents,
  corrections_days: program.correctionsDays,
  longest_open_hours: program.longestOpenHours,
  public: program.isPublic,
  simulated: program.isSimulated,
  created_at: formatTimestamp(program.createdAt),
});

const limitsToWire = (limits: StatusSetting | null): operator.StatusLimits | null =>
  limits === null
    ? null
    : {
        amber_from: limits.amberFrom,
        green_from: limits.greenFrom,
        green_to: limits.greenTo,
        stale_seconds: limits.staleSeconds,
        least_coverage: limits.leastCoverage,
      };

const limitsFrom = <T extends operator.StatusLimits | null | undefined>(limits: T) => {
  if (limits === null || limits === undefined) return limits as Exclude<T, operator.StatusLimits>;
  return {
    amberFrom: limits.amber_from,
    greenFrom: limits.green_from,
    greenTo: limits.green_to,
    staleSeconds: limits.stale_seconds,
    leastCoverage: limits.least_coverage,
  };
};

/** Copies only the contract's members. */
export const baselineFrom = <T extends operator.BaselineSetting | null | undefined>(setting: T) => {
  if (setting === null || setting === undefined) return setting as Exclude<T, operator.BaselineSetting>;
  if ("method" in setting) return { method: setting.method };
  return { preset: setting.preset, ...given({ anchor: setting.anchor }) };
};

type WireSettings = operator.Program["openadr"];

/** Copies only the contract's members: unknown ones are not stored (G5). */
const openadrFrom = <T extends WireSettings | undefined>(settings: T): T | OpenAdrSettings => {
  if (settings === null || settings === undefined) return settings;
  const { level, ramp_up_seconds, recovery_seconds } = settings;
  return { level, ...given({ ramp_up_seconds, recovery_seconds }) };
};

const enrolmentToWire = ({ programId, siteId, commitmentKw, baseline }: Enrolment) => ({
  program_id: programId,
  site_id: siteId,
  commitment: commitmentKw,
  baseline,
});

const enrolledToWire = ({ enrolment, siteName, dispatchGroup, accountId, accountName }: EnrolledSite) => ({
  ...enrolmentToWire(enrolment),
  site_name: siteName,
  dispatch_group: dispatchGroup,
  account_id: accountId,
  account_name: accountName,
});

const ofSiteToWire = ({ enrolment, programName, timezone }: SiteEnrolment) => ({
  ...enrolmentToWire(enrolment),
  program_name: programName,
  timezone,
});

interface HolidaysBody {
  readonly holidays?: readonly string[];
  readonly added_holidays?: readonly string[];
  readonly removed_holidays?: readonly string[];
}

const holidaysFrom = ({ holidays, added_holidays: added, removed_holidays: removed }: HolidaysBody) => ({
  holidays,
  added,
  removed,
});

export type ProgramRoutePorts = RepeatablePorts<SiteManagingStores & Pick<AccessStores, "running">> & {
  readonly calendars: HolidayCalendars;
};

export const programRoutes = (app: FastifyInstance, ports: ProgramRoutePorts): void => {
  const { calendars, clock } = ports;
  serveOnce(app, operator.createProgram, ports, async ({ body, request }, ports) => {
    const calendar = await chosenCalendar(calendars, body.holiday_calendar, clock.now());
    if (isRefusal(calendar)) return calendar;
    const program = await createProgram(ports, actorOf(request), {
      name: body.name,
      timezone: canonicalTimezone(body.timezone),
      market: body.market,
      programType: body.program_type,
      scheduleCutoffSeconds: body.schedule_cutoff_seconds ?? 0,
      openadr: openadrFrom(body.openadr ?? null),
      baseline: baselineFrom(body.baseline ?? null),
      holidays: { ...holidaysFrom(body), calendar },
      statusLimits: limitsFrom(body.status_limits ?? null),
      testsAreEvents: body.tests_are_events ?? true,
      correctionsDays: body.corrections_days ?? null,
      longestOpenHours: body.longest_open_hours ?? LONGEST_OPEN_HOURS,
      isPublic: body.public ?? false,
    });
    return isRefusal(program) ? program : toWire(program);
  });
  serve(app, operator.listPrograms, ({ query }) => listed(query, (page) => ports.stores.programs.list(page), toWire));
  serve(app, operator.getProgram, async ({ params }) => {
    const program = await ports.stores.programs.find(params.id);
    return program === null ? notFound("program") : toWire(program);
  });
  serve(app, operator.changeProgram, async ({ params, body, request }) => {
    const calendar = await chosenCalendar(calendars, body.holiday_calendar, clock.now());
    if (isRefusal(calendar)) return calendar;
    const change = given({
      name: body.name,
      timezone: body.timezone && canonicalTimezone(body.timezone),
      market: body.market,
      programType: body.program_type,
      scheduleCutoffSeconds: body.schedule_cutoff_seconds,
      openadr: openadrFrom(body.openadr),
      baseline: baselineFrom(body.baseline),
      statusLimits: limitsFrom(body.status_limits),
      testsAreEvents: body.tests_are_events,
      correctionsDays: body.corrections_days,
      longestOpenHours: body.longest_open_hours,
      isPublic: body.public,
    });
    const program = await changeProgram(ports, actorOf(request), params.id, {
      ...change,
      holidays: { ...holidaysFrom(body), calendar },
    });
    return isRefusal(program) ? program : toWire(program);
  });
};

export const enrolmentRoutes = (app: FastifyInstance, ports: ProgramRoutePorts): void => {
  serve(app, operator.listEnrolments, async ({ params, query }) => {
    if ((await ports.stores.programs.find(params.id)) === null) return notFound("program");
    return listed(query, (page) => ports.stores.programs.listEnrolments(params.id, page), enrolledToWire);
  });
  serve(app, operator.listSiteEnrolments, async ({ params, query }) => {
    if ((await ports.stores.sites.find(params.id)) === null) return notFound("site");
    return listed(query, (page) => ports.stores.programs.listEnrolmentsOfSite(params.id, page), ofSiteToWire);
  });
  serve(app, operator.enrolSite, async ({ params, body, request }) => {
    const enrolment = {
      programId: params.id,
      siteId: params.site_id,
      commitmentKw: body.commitment,
      baseline: baselineFrom(body.baseline ?? null),
    };
    return mapResult(enrolSite(ports, actorOf(request), enrolment), enrolmentToWire);
  });
  serve(app, operator.withdrawSite, async ({ params, query, request }) => {
    const enrolment = { programId: params.id, siteId: params.site_id };
    return done(withdrawSite(ports, actorOf(request), enrolment, query.confirm_running === "true"));
  });
};
