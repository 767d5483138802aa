import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { refuseWhileRunning } from "../../access/operations/running-dispatches.js";
import { changesNothing } from "../../platform/changes-nothing.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal, notFound, type Result } from "../../platform/refusal.js";
import { type Enrolment, type Program, refuseTimezone, simulatedAlone } from "../domain/program.js";
import { refuseBaseline, refuseMeasurement } from "./baseline-method.js";
import { changedHolidays, type HolidayChange, NO_HOLIDAYS } from "./changed-holidays.js";
import type { PortfolioStores } from "./portfolio-stores.js";
import { writeEnrolments } from "./write-sites.js";

/** Settings of a program; its holidays follow from `holidays`. */
export type ProgramSettings = Omit<Program, "id" | "createdAt" | "isSimulated" | "holidays" | "holidayCalendar">;
type NewProgram = ProgramSettings & { readonly holidays: HolidayChange };
type ProgramChange = Partial<ProgramSettings> & { readonly holidays: HolidayChange };

export const createProgram = (
  { transact, clock, newId }: Ports<PortfolioStores & Pick<AccessStores, "audit">>,
  actor: Actor,
  input: NewProgram,
) =>
  transact(async (stores): Promise<Result<Program>> => {
    const refusal = refuseTimezone(input.timezone) ?? refuseMeasurement(input);
    if (refusal !== null) return refusal;
    const holidays = changedHolidays(NO_HOLIDAYS, input.holidays);
    if (isRefusal(holidays)) return holidays;
    const at = clock.now();
    const program: Program = { id: newId("prg"), ...input, ...holidays, isSimulated: false, createdAt: at };
    await stores.programs.insert(program);
    await stores.audit.append({ actor, at }, "program.create", subjectOf(program), { after: program });
    return program;
  });

export const changeProgram = (
  { transact, clock }: Ports<PortfolioStores & Pick<AccessStores, "audit">>,
  actor: Actor,
  id: string,
  { holidays: holidayChange, ...settings }: ProgramChange,
) =>
  transact(async (stores): Promise<Result<Program>> => {
    const before = await stores.programs.lock(id);
    if (before === null) return notFound("program");
    const holidays = changedHolidays(before, holidayChange);
    if (isRefusal(holidays)) return holidays;
    const change = { ...settings, ...holidays };
    if (changesNothing(before, change)) return before;
    const after = { ...before, ...change };
    const refusal = refuseTimezone(after.timezone) ?? refuseMeasurement(change);
    if (refusal !== null) return refusal;
    await stores.programs.save(after);
    await stores.audit.append({ actor, at: clock.now() }, "program.change", subjectOf(after), { before, after });
    return after;
  });

/** Enrols a site, or changes its commitment and baseline. */
export const enrolSite = (
  { transact, clock }: Ports<PortfolioStores & Pick<AccessStores, "audit">>,
  actor: Actor,
  enrolment: Enrolment,
) =>
  transact(async (stores): Promise<Result<Enrolment>> => {
    const refusal = refuseBaseline(enrolment.baseline);
    if (refusal !== null) return refusal;
    const program = await stores.programs.lock(enrolment.programId);
    if (program === null) return notFound("program");
    const site = await stores.sites.find(enrolment.siteId);
    if (site === null) return notFound("site");
    if (site.isSimulated !== program.isSimulated) return simulatedAlone;
    const before = await stores.programs.findEnrolment(enrolment.programId, enrolment.siteId);
    if (before !== null && changesNothing(before, enrolment)) return before;
    const change = { before, after: enrolment, accountId: site.accountId };
    await writeEnrolments(stores, { actor, at: clock.now() }, [change]);
    return enrolment;
  });

/** @param isConfirmed also while a dispatch of the program that targets the site is in progress */
export const withdrawSite = (
  { transact, clock }: Ports<PortfolioStores & Pick<AccessStores, "audit" | "running">>,
  actor: Actor,
  { programId, siteId }: Pick<Enrolment, "programId" | "siteId">,
  isConfirmed: boolean,
) =>
  transact(async (stores): Promise<Result<Enrolment>> => {
    const before = await stores.programs.withdraw(programId, siteId);
    if (before === null) return notFound("enrolment");
    const running = await stores.running.ofSites(programId, [siteId], clock.now());
    const refusal = refuseWhileRunning({ what: "withdraw the site", running, isConfirmed });
    if (refusal !== null) return refusal;
    const accountId = (await stores.sites.find(siteId))?.accountId ?? null;
    await stores.audit.append({ actor, at: clock.now() }, "program.withdraw", { id: siteId, accountId }, { before });
    return before;
  });

const subjectOf = (program: Program) => ({ id: program.id, accountId: null });
