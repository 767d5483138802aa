import { dateOf, dayOfDate, localTime } from "@curtail/measure";
import { invalid, type Refusal } from "../../platform/refusal.js";

/** The local month of a moment, `YYYY-MM`. */
export const monthOf = (ms: number, timezone: string): string =>
  dateOf(localTime(timezone).dayOf(Math.floor(ms / 1000))).slice(0, 7);

/** The first instant of a local month. */
export const startOfMonthMs = (month: string, timezone: string): number =>
  localTime(timezone).startOf(dayOfDate(`${month}-01`)) * 1000;

/** The first instant after a local month. */
export const endOfMonthMs = (month: string, timezone: string): number => startOfMonthMs(nextMonth(month), timezone);

export const nextMonth = (month: string): string => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7);
};

export const monthBefore = (month: string): string => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 7);
};

/** A period that contains the month of every time zone. */
export const periodOf = (month: string) => ({
  fromMs: startOfMonthMs(month, "Pacific/Kiritimati"),
  toMs: endOfMonthMs(month, "Etc/GMT+12"),
});

const [FIRST, LAST] = ["2000-01", "2199-12"];

/** Refuses months that do not exist, such as 2026-13. */
export const refuseMonth = (month: string, name: string): Refusal | null => {
  const isMonth = /^\d{4}-(0[1-9]|1[0-2])$/.test(month) && month >= FIRST && month <= LAST;
  return isMonth ? null : invalid(`${name} is not a month; give it as YYYY-MM, from ${FIRST} to ${LAST}`);
};
