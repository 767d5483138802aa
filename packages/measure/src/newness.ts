import { anchorsOf } from "./adjust.js";
import { dayTypeOf } from "./day.js";
import { type InputTerms, ruleOn } from "./inputs.js";
import { dayOfDate, localTime } from "./local-time.js";
import type { BaselineMethod, DaysMethod } from "./method.js";

/**
 * Whether a site that was enrolled at an instant has had fewer days since than its method needs before a dispatch (G64). Only
 * whole days of the types of the pool count, whatever kept them out of it.
 */
export const isTooNew = (method: BaselineMethod, terms: InputTerms, enrolledMs: number): boolean => {
  if (method.kind === "days") return daysSince(method, terms, enrolledMs) < neededDays(method, terms);
  return method.kind === "meter_before" && enrolledMs > anchorsOf(terms)[method.anchor] - method.seconds * 1000;
};

const firstDayOf = ({ startMs, timezone }: InputTerms): number => localTime(timezone).dayOf(startMs / 1000);

/** Without a rule for the day there is no baseline, however long the site has been enrolled. */
const neededDays = (method: DaysMethod, terms: InputTerms): number =>
  ruleOn(method, firstDayOf(terms), terms)?.pool.min_days ?? 0;

const daysSince = (method: DaysMethod, terms: InputTerms, enrolledMs: number): number => {
  const firstDay = firstDayOf(terms);
  const pool = ruleOn(method, firstDay, terms)?.pool;
  if (pool === undefined) return 0;
  const holidays = new Set(terms.holidays.map(dayOfDate));
  const enrolledDay = localTime(terms.timezone).dayOf(Math.floor(enrolledMs / 1000));
  let count = 0;
  for (let day = firstDay - 1; day > enrolledDay && day >= firstDay - pool.lookback_days; day--)
    if (pool.day_types.includes(dayTypeOf(day, holidays))) count += 1;
  return count;
};
