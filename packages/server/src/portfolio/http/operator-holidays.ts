import { operator } from "@curtail/contract";
import { CALENDAR_YEARS, CALENDAR_YEARS_AT_ONCE } from "@curtail/contract/constants";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { serve } from "../../platform/http/endpoint.js";
import { serveOnce } from "../../platform/http/serve-once.js";
import { invalid, isRefusal, mapResult, type Result } from "../../platform/refusal.js";
import type { CalendarDay, FreshCalendar, HolidayCalendar } from "../domain/holidays.js";
import {
  confirmHolidays,
  type ProgramHolidays,
  previewCalendar,
  programHolidays,
} from "../operations/holiday-calendars.js";
import type { ProgramRoutePorts } from "./operator-program.js";

const dayToWire = ({ date, name, localName }: CalendarDay) => ({ date, name, local_name: localName });

const calendarToWire = ({ code, name, version, fromYear, toYear, days }: FreshCalendar): operator.HolidayCalendar => ({
  code,
  name,
  version,
  from_year: fromYear,
  to_year: toYear,
  days: days.map(dayToWire),
});

/** Days of the list that no calendar gave. */
const byHand = (dates: readonly string[]): operator.ProgramHoliday[] =>
  dates.map((date) => ({ date, name: null, local_name: null, origin: "added" }));

const daysToWire = ({ days, added, removed }: HolidayCalendar): operator.ProgramHoliday[] => {
  const known = new Set(days.map(({ date }) => date));
  const ofCalendar = days.map((day) => ({
    ...dayToWire(day),
    origin: removed.includes(day.date) ? ("removed" as const) : ("calendar" as const),
  }));
  const others = byHand(added.filter((date) => !known.has(date)));
  return [...ofCalendar, ...others].toSorted((one, other) => (one.date < other.date ? -1 : 1));
};

const holidaysToWire = ({ program, update }: ProgramHolidays): operator.ProgramHolidays => {
  const calendar = program.holidayCalendar;
  return {
    holiday_calendar: calendar?.code ?? null,
    name: calendar?.name ?? null,
    version: calendar?.version ?? null,
    from_year: calendar?.fromYear ?? null,
    to_year: calendar?.toYear ?? null,
    days: calendar === null ? byHand(program.holidays) : daysToWire(calendar),
    update:
      update === null
        ? null
        : {
            version: update.fresh.version,
            to_year: update.fresh.toYear,
            days: update.days.map((day) => ({ ...dayToWire(day), change: day.change })),
          },
  };
};

const yearsFrom = (
  { from_year, to_year }: { readonly from_year?: number; readonly to_year?: number },
  now: Date,
): Result<readonly [number, number]> => {
  const first = from_year ?? Math.min(now.getUTCFullYear(), to_year ?? CALENDAR_YEARS.last);
  const last = to_year ?? Math.min(first + 1, CALENDAR_YEARS.last);
  if (last >= first && last - first < CALENDAR_YEARS_AT_ONCE) return [first, last];
  return invalid(`to_year is ${last}; give ${first} to ${first + CALENDAR_YEARS_AT_ONCE - 1}`);
};

export const holidayRoutes = (app: FastifyInstance, ports: ProgramRoutePorts): void => {
  const { calendars, clock } = ports;
  serve(app, operator.listHolidayCalendars, async () => ({
    items: (await calendars.names()).map(({ code, name }) => ({ code, name })),
  }));
  serve(app, operator.getHolidayCalendar, async ({ params, query }) => {
    const years = yearsFrom(query, clock.now());
    if (isRefusal(years)) return years;
    return mapResult(previewCalendar(calendars, params.code, years), calendarToWire);
  });
  serve(app, operator.getProgramHolidays, ({ params }) => mapResult(programHolidays(ports, params.id), holidaysToWire));
  serveOnce(app, operator.confirmHolidays, ports, async ({ params, body, request }, ports) => {
    const seen = { version: body.version, toYear: body.to_year };
    return mapResult(confirmHolidays(ports, actorOf(request), params.id, seen), holidaysToWire);
  });
};
