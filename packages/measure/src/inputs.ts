import { windowPeriod } from "./adjust.js";
import type { Baseline } from "./baseline-result.js";
import { dayTypeOf } from "./day.js";
import { dayOfDate, localTime } from "./local-time.js";
import type { BaselineMethod, DayRule, DaysMethod, DayType, MeterBeforeMethod } from "./method.js";

/** The terms of a dispatch that determine which load its baseline uses. */
export interface InputTerms {
  readonly startMs: number;
  readonly notificationMs: number;
  /** IANA name. */
  readonly timezone: string;
  readonly holidays: readonly string[];
}

/** Load that a baseline may use, in Unix milliseconds: after `fromMs`, up to and including `toMs`. */
export interface BaselineInputs {
  /** Earliest start of the look-back. */
  readonly fromMs: number;
  /** Probable start of a full pool: load from here on is enough if the resulting pool is full. */
  readonly likelyFromMs: number;
  /** Later load never affects the baseline. */
  readonly toMs: number;
}

/**
 * The most load that a baseline uses; null if it uses none (`flat`, `firm_service_level`). Read it from `likelyFromMs`
 * first: the look-back is much longer than the days that are used.
 */
export const inputsOf = (method: BaselineMethod, terms: InputTerms): BaselineInputs | null => {
  if (method.kind === "days") return inputsOfDays(method, terms);
  return method.kind === "meter_before" ? inputsOfMeterBefore(method, terms) : null;
};

/** The rule of a method for a type of day; undefined if it has none. */
export const ruleFor = ({ rules }: DaysMethod, dayType: DayType): DayRule | undefined =>
  rules.find(({ pool }) => pool.day_types.includes(dayType));

const inputsOfMeterBefore = ({ anchor, seconds }: MeterBeforeMethod, terms: InputTerms): BaselineInputs => {
  const toMs = anchor === "start" ? terms.startMs : terms.notificationMs;
  const fromMs = toMs - seconds * 1000;
  return { fromMs, likelyFromMs: fromMs, toMs };
};

const inputsOfDays = (method: DaysMethod, terms: InputTerms): BaselineInputs => {
  const time = localTime(terms.timezone);
  const day = time.dayOf(terms.startMs / 1000);
  const rule = ruleFor(method, dayTypeOf(day, new Set(terms.holidays.map(dayOfDate))));
  const startOfMs = (daysBefore: number) => time.startOf(day - daysBefore) * 1000;
  const lookback = rule?.pool.lookback_days ?? 0;
  const windows = windowsOf(method, rule).map((window) =>
    windowPeriod(window, { start: terms.startMs, notification: terms.notificationMs }),
  );
  const before = method.fallback === null ? [] : [inputsOfMeterBefore(method.fallback, terms)];
  const around = [...windows.map(({ startMs, endMs }) => ({ fromMs: startMs, toMs: endMs })), ...before];
  const earliest = (days: number) => Math.min(startOfMs(days), ...around.map(({ fromMs }) => fromMs));
  return {
    fromMs: earliest(lookback),
    likelyFromMs: earliest(Math.min(lookback, likelyDays(rule))),
    toMs: Math.max(startOfMs(0), ...around.map(({ toMs }) => toMs)),
  };
};

const windowsOf = ({ adjust }: DaysMethod, rule: DayRule | undefined) => [
  ...(adjust.kind === "none" ? [] : [adjust.window]),
  ...(rule?.pick.kind === "match" ? [rule.pick.window] : []),
];

const DAYS_PER_WEEK: Readonly<Record<DayType, number>> = { weekday: 5, saturday: 1, sunday: 1, holiday: 0 };
/** Room for some holidays and event days. */
const SPARE_DAYS = 4;

const likelyDays = (rule: DayRule | undefined): number => {
  if (rule === undefined) return 0;
  const perWeek = rule.pool.day_types.reduce((sum, type) => sum + DAYS_PER_WEEK[type], 0);
  return perWeek === 0 ? rule.pool.lookback_days : Math.ceil((rule.pool.days * 7) / perWeek) + SPARE_DAYS;
};

/** Whether a baseline computed from `likelyFromMs` on may differ with the whole look-back. */
export const wantsWholeLookback = (method: BaselineMethod, { explanation }: Baseline): boolean => {
  const days = explanation.kind === "meter_before" ? explanation.insteadOf : explanation;
  if (method.kind !== "days" || days?.kind !== "days") return false;
  const rule = ruleFor(method, days.eventDayType);
  return rule !== undefined && days.pool.length < rule.pool.days;
};
