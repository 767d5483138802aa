import { dateOf, localTime } from "@curtail/measure";
import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Ports } from "../../platform/ports.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, notFound, Refusal, type Result } from "../../platform/refusal.js";
import {
  type CalendarUpdate,
  type FreshCalendar,
  holidaysOf,
  updateOf,
  withUpdate,
  yearsAround,
} from "../domain/holidays.js";
import type { Program } from "../domain/program.js";
import type { PortfolioStores } from "./portfolio-stores.js";

type Years = readonly [first: number, last: number];

/** Calendars of holidays, from a library. */
export interface HolidayCalendars {
  names(): Promise<readonly Pick<FreshCalendar, "code" | "name">[]>;
  /** Without such a calendar: codes that are near. */
  days(code: string, years: Years): Promise<FreshCalendar | { readonly nearest: readonly string[] }>;
}

/** The days of a calendar. @param code in any case */
export const previewCalendar = async (
  calendars: HolidayCalendars,
  code: string,
  years: Years,
): Promise<Result<FreshCalendar>> => {
  const found = await calendars.days(code, years);
  if (!("nearest" in found)) return found;
  return new Refusal("not_found", `No such calendar; the nearest ones are ${found.nearest.join(", ")}.`);
};

/** The calendar that a request chooses; undefined: it says nothing about it. */
export const chosenCalendar = async (
  calendars: HolidayCalendars,
  code: string | null | undefined,
  now: Date,
): Promise<Result<FreshCalendar | null | undefined>> => {
  if (code === null || code === undefined) return code;
  const found = await calendars.days(code, yearsAround(now.getUTCFullYear()));
  if (!("nearest" in found)) return found;
  const nearest = found.nearest.join(", ");
  return invalid(`holiday_calendar is "${quote(code)}", which is no calendar; the nearest ones are ${nearest}`);
};

/** A program with what the library says about its calendar now; null: nothing new. */
export interface ProgramHolidays {
  readonly program: Program;
  readonly update: CalendarUpdate | null;
}

type HolidayPorts = Ports<PortfolioStores & Pick<AccessStores, "audit">> & { readonly calendars: HolidayCalendars };

export const programHolidays = async (
  { stores, clock, calendars }: Pick<HolidayPorts, "stores" | "clock" | "calendars">,
  id: string,
): Promise<Result<ProgramHolidays>> => {
  const program = await stores.programs.find(id);
  if (program === null) return notFound("program");
  return { program, update: await updateFor(program, calendars, clock.now()) };
};

const updateFor = async (
  { holidayCalendar, timezone }: Program,
  calendars: HolidayCalendars,
  now: Date,
): Promise<CalendarUpdate | null> => {
  if (holidayCalendar === null) return null;
  const today = todayIn(timezone, now);
  const year = Number(today.slice(0, 4));
  // A calendar that a newer library does not have is left as it is.
  const fresh = await calendars.days(holidayCalendar.code, [
    Math.min(year, holidayCalendar.toYear + 1),
    Math.max(year + 1, holidayCalendar.toYear),
  ]);
  return "nearest" in fresh ? null : updateOf(holidayCalendar, fresh, today);
};

const todayIn = (timezone: string, now: Date): string =>
  dateOf(localTime(timezone).dayOf(Math.floor(now.getTime() / 1000)));

/** Stores an update that an operator has seen; refuses another one. */
export const confirmHolidays = async (
  ports: HolidayPorts,
  actor: Actor,
  id: string,
  seen: { readonly version: string; readonly toYear: number },
): Promise<Result<ProgramHolidays>> => {
  const found = await programHolidays(ports, id);
  if (isRefusal(found)) return found;
  const { program, update } = found;
  if (program.holidayCalendar === null)
    return invalid("the program has no holiday_calendar; there is nothing to confirm");
  if (update === null) return invalid("the holidays of the program are up to date; there is nothing to confirm");
  const { version, toYear } = update.fresh;
  if (version !== seen.version || toYear !== seen.toYear)
    return invalid(`the update is of version ${version} to ${toYear}; look at it, then confirm that`);
  return ports.transact(async ({ programs, audit }) => {
    const before = await programs.lock(id);
    const calendar = before?.holidayCalendar ?? null;
    if (before === null || calendar === null || JSON.stringify(calendar) !== JSON.stringify(program.holidayCalendar))
      return invalid("the holidays were changed in the meantime; look at the update again");
    const at = ports.clock.now();
    const holidayCalendar = withUpdate(calendar, update, todayIn(before.timezone, at));
    const after = { ...before, holidayCalendar, holidays: holidaysOf(holidayCalendar) };
    await programs.save(after);
    await audit.append({ actor, at }, "program.change", { id, accountId: null }, { before, after });
    return { program: after, update: null };
  });
};
