import { DAY_MS } from "../../platform/period.js";
import type { Hours } from "./hours.js";

/** A month (UTC), counted from January of year 0. */
export type Month = number;

export const monthOf = (ms: number): Month => {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

export const startOfMonthMs = (month: Month): number => Date.UTC(Math.floor(month / 12), month % 12);

/** For example 2026-07. */
export const formatMonth = (month: Month): string => new Date(startOfMonthMs(month)).toISOString().slice(0, 7);

const HOUR_MS = 3_600_000;

/** The hour, counted from 1970, that begins then. */
export const hourOfMs = (ms: number): number => ms / HOUR_MS;

export const monthOfHour = (hour: number): Month => monthOf(hour * HOUR_MS);

export const hoursOfMonth = (month: Month): Hours => ({
  from: hourOfMs(startOfMonthMs(month)),
  to: hourOfMs(startOfMonthMs(month + 1)) - 1,
});

/**
 * Readings are kept from here on, in Unix milliseconds: whole months are archived, once each of their days ended
 * `keepDays` ago.
 */
export const keptFromMs = (now: Date, keepDays: number): number =>
  startOfMonthMs(monthOf(now.getTime() - keepDays * DAY_MS));
