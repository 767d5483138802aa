import { isDate } from "@curtail/measure";
import { quote } from "../../platform/quote.js";
import { invalid, type Refusal, type Result } from "../../platform/refusal.js";
import { type FreshCalendar, type HolidayCalendar, holidaysOf } from "../domain/holidays.js";
import type { Program } from "../domain/program.js";

/** What a request says about holidays; undefined: nothing. */
export interface HolidayChange {
  readonly holidays?: readonly string[] | undefined;
  readonly calendar?: FreshCalendar | null | undefined;
  readonly added?: readonly string[] | undefined;
  readonly removed?: readonly string[] | undefined;
}

type Holidays = Pick<Program, "holidays" | "holidayCalendar">;

export const NO_HOLIDAYS: Holidays = { holidays: [], holidayCalendar: null };

/** Corrections of a calendar, each way. */
const MOST_CORRECTED = 300;

/**
 * The holidays of a program after a change. A calendar that is chosen again keeps its stored days; a new one keeps the list that
 * was made by hand as added days; without one, the list stays as it was.
 */
export const changedHolidays = (before: Holidays, change: HolidayChange): Result<Holidays> => {
  const { added = [], removed = [] } = change;
  const refusal =
    refuseDates("holidays", change.holidays ?? []) ??
    refuseDates("added_holidays", added) ??
    refuseDates("removed_holidays", removed);
  if (refusal !== null) return refusal;
  const calendar = change.calendar === undefined ? before.holidayCalendar : change.calendar;
  if (calendar !== null) return corrected(before, change, calendar);
  if (added.length + removed.length > 0)
    return invalid(
      "added_holidays and removed_holidays correct a calendar; give holiday_calendar, or holidays without them",
    );
  return { holidays: change.holidays ?? before.holidays, holidayCalendar: null };
};

const refuseDates = (member: string, dates: readonly string[]): Refusal | null => {
  const wrong = dates.find((date) => !isDate(date));
  return wrong === undefined ? null : invalid(`${member} contains "${quote(wrong)}"; give dates as YYYY-MM-DD`);
};

const corrected = (before: Holidays, change: HolidayChange, chosen: FreshCalendar): Result<Holidays> => {
  const stored = before.holidayCalendar;
  const calendar = stored?.code === chosen.code ? stored : chosen;
  const added = inOrder(change.added ?? stored?.added ?? notIn(calendar, before.holidays));
  const removed = inOrder(change.removed ?? stored?.removed ?? []);
  const both = added.find((date) => removed.includes(date));
  if (both !== undefined) return invalid(`${both} is in added_holidays and removed_holidays; give it in one of them`);
  if (added.length > MOST_CORRECTED)
    return invalid(`added_holidays has ${added.length} dates with those made by hand; give at most ${MOST_CORRECTED}`);
  const holidayCalendar: HolidayCalendar = { ...calendar, added, removed };
  const holidays = holidaysOf(holidayCalendar);
  if (change.holidays !== undefined && !isSame(change.holidays, holidays) && !isSame(change.holidays, before.holidays))
    return invalid("holidays follow from holiday_calendar; give added_holidays and removed_holidays to correct them");
  return { holidays, holidayCalendar };
};

const notIn = ({ days }: FreshCalendar, dates: readonly string[]): string[] => {
  const known = new Set(days.map(({ date }) => date));
  return dates.filter((date) => !known.has(date));
};

const inOrder = (dates: readonly string[]): string[] => [...new Set(dates)].toSorted();

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  inOrder(one).join() === inOrder(other).join();
