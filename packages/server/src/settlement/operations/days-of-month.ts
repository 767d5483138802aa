import { dateOf, dayOfDate, localTime } from "@curtail/measure";
import type { DayOfMonth } from "../domain/capacity-days.js";

/** The local days of a month, `YYYY-MM`. */
export const daysOfMonth = (month: string, timezone: string): readonly DayOfMonth[] => {
  const time = localTime(timezone);
  const days: DayOfMonth[] = [];
  for (let day = dayOfDate(`${month}-01`); dateOf(day).startsWith(month); day++)
    days.push({ date: dateOf(day), lastMs: time.startOf(day + 1) * 1000 - 1 });
  return days;
};
