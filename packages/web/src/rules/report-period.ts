import { say } from "@curtail/words/page";
import { daysAfter } from "../format/local-time.js";

/** Parameters of the address. They have the whole state of the page, so that a link shows what its sender saw. */
export interface ReportSearch {
  readonly period?: string;
  /** Days of a custom period. */
  readonly from?: string;
  readonly to?: string;
  readonly by?: string;
  readonly program?: string;
  readonly account?: string;
  readonly site?: string;
  readonly tests?: string;
  readonly accuracy?: string;
  readonly sort?: string;
}

/** The first and the last day of a period. */
export interface ReportPeriod {
  readonly from: string;
  readonly to: string;
}

export const reportPeriods = [
  { id: "month", label: say("This month") },
  { id: "last-month", label: say("Last month") },
  { id: "summer", label: say("Summer, Jun–Sep") },
  { id: "winter", label: say("Winter, Dec–Feb") },
  { id: "year", label: say("This year") },
] as const;

type Preset = (typeof reportPeriods)[number]["id"];

/** The days of an address; null for a custom period that lacks one, or whose days are in the wrong order. */
export const reportPeriod = ({ period = "month", from, to }: ReportSearch, today: string): ReportPeriod | null => {
  if (period !== "custom") return (presets[period as Preset] ?? presets.month)(dateOf(today));
  return isDay(from) && isDay(to) && from <= to ? { from, to } : null;
};

interface YearAndMonth {
  readonly year: number;
  /** From 1. */
  readonly month: number;
}

const dateOf = (day: string): YearAndMonth => ({ year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)) });

const firstDay = (year: number, month: number): string => `${year}-${String(month).padStart(2, "0")}-01`;

/** So many whole months. */
const months = (year: number, month: number, count: number): ReportPeriod => {
  const after = month + count - 1;
  const next = firstDay(year + Math.floor(after / 12), (after % 12) + 1);
  return { from: firstDay(year, month), to: daysAfter(next, -1) };
};

/** Seasons are the latest that have begun: June to September, and December to February. */
const presets: Readonly<Record<Preset, (today: YearAndMonth) => ReportPeriod>> = {
  month: ({ year, month }) => months(year, month, 1),
  "last-month": ({ year, month }) => (month === 1 ? months(year - 1, 12, 1) : months(year, month - 1, 1)),
  summer: ({ year, month }) => months(month < 6 ? year - 1 : year, 6, 4),
  winter: ({ year, month }) => months(month < 12 ? year - 1 : year, 12, 3),
  year: ({ year }) => months(year, 1, 12),
};

const isDay = (text: string | undefined): text is string => text !== undefined && daysAfter(text, 1) !== text;
