import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { Temporal as Types } from "temporal-polyfill";
import { DATE_LOCALE, HOUR } from "../format/locale.js";
import { energy, percent } from "../format/quantity.js";
import { Temporal } from "../format/temporal.js";
import { withSmallLetters } from "../format/time.js";

type EnergyBars = participantConsole.EnergyBars;

/** The period that is shown: a day by hour, a month by day, a year by month. */
export type BarSpan = "day" | "month" | "year";
export type Comparison = "none" | "before" | "year";

export const spans: readonly { readonly id: BarSpan; readonly label: string }[] = [
  { id: "day", label: say("Day") },
  { id: "month", label: say("Month") },
  { id: "year", label: say("Year") },
];

export const isSpan = (text: string | undefined): text is BarSpan => spans.some(({ id }) => id === text);
export const isComparison = (text: string | undefined): text is Comparison =>
  text === "none" || text === "before" || text === "year";

const steps = { day: "hour", month: "day", year: "month" } as const;

/** The first and the last local day, and the step of the bars. */
export interface BarPeriod {
  readonly from: string;
  readonly to: string;
  readonly by: "hour" | "day" | "month";
}

const dateOf = (text: string): Types.PlainDate | null => {
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return null;
  }
};

/** The day, month or year with a day; today's for text that is none. */
export const barPeriod = (span: BarSpan, at: string | undefined, today: string): BarPeriod => {
  const day = dateOf(at ?? today) ?? Temporal.PlainDate.from(today);
  const from = { day: () => day, month: () => day.with({ day: 1 }), year: () => day.with({ month: 1, day: 1 }) }[
    span
  ]();
  const to = from.add(lengths[span]).subtract({ days: 1 });
  return { from: from.toString(), to: to.toString(), by: steps[span] };
};

const lengths = { day: { days: 1 }, month: { months: 1 }, year: { years: 1 } } as const;

/** A day in the period that many steps later; negative: earlier. */
export const steppedBy = (span: BarSpan, from: string, count: number): string => {
  const [unit] = Object.keys(lengths[span]) as ["days" | "months" | "years"];
  return Temporal.PlainDate.from(from)
    .add({ [unit]: count })
    .toString();
};

/** The period to compare with: the one before, or that of the year before. */
export const comparedPeriod = (span: BarSpan, { from }: BarPeriod, comparison: Comparison): BarPeriod | null => {
  if (comparison === "none" || (comparison === "year" && span === "year")) return null;
  const start = comparison === "before" ? steppedBy(span, from, -1) : sameWeekday(span, from);
  return barPeriod(span, start, from);
};

/** A day is compared with the same weekday a year before: weekends are unlike workdays. */
const sameWeekday = (span: BarSpan, from: string): string =>
  Temporal.PlainDate.from(from)
    .subtract(span === "day" ? { days: 364 } : { years: 1 })
    .toString();

/** `Mon 23 Nov 2026`, `November 2026`, `2026`. */
export const spanName = (span: BarSpan, from: string): string =>
  new Intl.DateTimeFormat(DATE_LOCALE, {
    timeZone: "UTC",
    year: "numeric",
    ...(span === "year" ? {} : { month: span === "month" ? "long" : "short" }),
    ...(span === "day" ? { weekday: "short", day: "numeric" } : {}),
  }).format(new Date(`${from}T00:00:00Z`));

/** The name of an interval, in the time zone of the bars: `14:00`, `Tue 24`, `Nov`; long: `Tue 24 Nov 2026`. */
export const barName = (start: string, by: BarPeriod["by"], timeZone: string, isLong = false): string => {
  const date = new Date(start);
  const of = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(DATE_LOCALE, { timeZone, ...options }).format(date);
  if (by === "month") return of(isLong ? { month: "long", year: "numeric" } : { month: "short" });
  if (by === "day") return isLong ? of({ weekday: "short", day: "numeric", month: "short" }) : of({ day: "numeric" });
  return withSmallLetters(of({ hour: HOUR, minute: "2-digit", ...(isLong ? { timeZoneName: "short" } : {}) }));
};

/** Values side by side: of the intervals at the same place of two periods. */
export interface Compared {
  readonly kwh: number;
  readonly otherKwh: number;
  /** Number of intervals that both have. */
  readonly intervals: number;
}

/** The sums over intervals that both periods have readings of, so that a running month is not compared with a whole one. */
export const comparedSums = (bars: EnergyBars["bars"], others: EnergyBars["bars"]): Compared | null => {
  const both = bars.flatMap(({ energy_kwh }, index) => {
    const other = others[index]?.energy_kwh ?? null;
    return energy_kwh === null || other === null ? [] : [{ kwh: energy_kwh, otherKwh: other }];
  });
  if (both.length === 0) return null;
  return {
    kwh: both.reduce((sum, { kwh }) => sum + kwh, 0),
    otherKwh: both.reduce((sum, { otherKwh }) => sum + otherKwh, 0),
    intervals: both.length,
  };
};

/** `8 % less than October 2026 (4,690 kWh)`; without a percentage where one of them is an export. */
export const comparedWords = ({ kwh, otherKwh }: Compared, name: string): string => {
  const other = { period: name, other: energy(otherKwh) };
  if (otherKwh <= 0 || kwh < 0)
    return say("{energy}, compared with {period} ({other})", { ...other, energy: energy(kwh) });
  const change = Math.round((kwh / otherKwh - 1) * 100) / 100;
  if (change === 0) return say("as much as {period} ({other})", other);
  const share = percent(Math.abs(change));
  return change < 0
    ? say("{share} less than {period} ({other})", { ...other, share })
    : say("{share} more than {period} ({other})", { ...other, share });
};

/** Whether an interval lacks readings that it should have: less than this is received of what is over. */
const WHOLE = 0.995;
export const isPartial = (coverage: number | null): boolean => coverage !== null && coverage < WHOLE;

interface Timed {
  readonly start_time: string;
  readonly end_time: string | null;
}

/** The dispatches that overlap an interval. */
export const within = <D extends Timed>(dispatches: readonly D[], bar: { start_time: string; end_time: string }): D[] =>
  dispatches.filter(
    ({ start_time, end_time }) =>
      Date.parse(start_time) < Date.parse(bar.end_time) &&
      (end_time === null || Date.parse(end_time) > Date.parse(bar.start_time)),
  );
