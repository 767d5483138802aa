import { anchorsOf, MOST_MOVED_MS, windowPeriod } from "./adjust.js";
import { dayTypeOf } from "./day.js";
import type { Period } from "./load-series.js";
import { dayOfDate, localTime } from "./local-time.js";
import type { BaselineMethod, DayRule, DaysMethod, DayType, MeterBeforeMethod } from "./method.js";

/** The terms of a dispatch that determine which load its baseline uses. */
export interface InputTerms {
  readonly startMs: number;
  readonly endMs: number | null;
  readonly notificationMs: number;
  /** IANA name. */
  readonly timezone: string;
  readonly holidays: readonly string[];
}

/** Load that a baseline may use, in Unix milliseconds: after `fromMs`, up to and including `toMs`. */
export interface BaselineInputs {
  /** Earliest start of the look-back. */
  readonly fromMs: number;
  /** Later load never affects the baseline. */
  readonly toMs: number;
}

/**
 * The most load that a baseline uses; null if it uses none (`flat`, `firm_service_level`). Usually it uses much less:
 * see `lookbackStages`.
 */
export const inputsOf = (method: BaselineMethod, terms: InputTerms): BaselineInputs | null => {
  if (method.kind === "days") return inputsOfDays(method, terms);
  return method.kind === "meter_before" ? inputsOfMeterBefore(method, terms) : null;
};

/** The rule of a method for a type of day; undefined if it has none. */
export const ruleFor = ({ rules }: DaysMethod, dayType: DayType): DayRule | undefined =>
  rules.find(({ pool }) => pool.day_types.includes(dayType));

const inputsOfMeterBefore = ({ anchor, seconds }: MeterBeforeMethod, terms: InputTerms): BaselineInputs => {
  const toMs = anchorsOf(terms)[anchor];
  return { fromMs: toMs - seconds * 1000, toMs };
};

const inputsOfDays = (method: DaysMethod, terms: InputTerms): BaselineInputs => {
  const time = localTime(terms.timezone);
  const startOfFirst = time.startOf(time.dayOf(terms.startMs / 1000)) * 1000;
  const rules = neededDaysOf(method, terms).map(({ day }) => ({ day, rule: ruleOn(method, day, terms) }));
  const lookbacks = rules.map(({ day, rule }) => time.startOf(day - (rule?.pool.lookback_days ?? 0)) * 1000);
  const around = rules.flatMap(({ rule }) => inputsAround(method, rule, terms));
  return {
    fromMs: Math.min(startOfFirst, ...lookbacks, ...around.map(({ fromMs }) => fromMs)),
    toMs: Math.max(startOfFirst, ...around.map(({ toMs }) => toMs)),
  };
};

/** A local day that may need a baseline. */
export interface NeededDay {
  readonly day: number;
  /** Its pool has only days before this one. */
  readonly beforeDay: number;
  /** Whether it is needed only if the window of the adjustment moves there. */
  readonly ifMoved: boolean;
}

const AROUND_MS = 3_600_000;

/** The local days of a dispatch, of the hours before and after it, and of the window wherever it moves (M9). */
export const neededDaysOf = ({ adjust }: DaysMethod, terms: InputTerms): NeededDay[] => {
  const { startMs, endMs } = terms;
  const days = daysOf(terms);
  const [firstDay = 0] = days;
  const periods: Period[] = [{ startMs: startMs - AROUND_MS, endMs: startMs }];
  // An open end is the end of a local day, whose curve never goes beyond it.
  if (endMs !== null) periods.push({ startMs: endMs, endMs: endMs + AROUND_MS });
  const window = adjust.kind === "none" ? [] : [windowPeriod(adjust.window, anchorsOf(terms))];
  const moved = window.map((wanted) => ({ startMs: wanted.startMs - MOST_MOVED_MS, endMs: wanted.endMs }));
  const certain = new Set([...days, ...[...periods, ...window].flatMap((each) => daysTouched(each, terms.timezone))]);
  const needed = new Set([...certain, ...moved.flatMap((each) => daysTouched(each, terms.timezone))]);
  return [...needed].map((day) => ({ day, beforeDay: Math.min(day, firstDay), ifMoved: !certain.has(day) }));
};

const daysTouched = ({ startMs, endMs }: Period, timezone: string): number[] => {
  const time = localTime(timezone);
  const first = time.dayOf(startMs / 1000);
  // Midnight belongs to the day that begins.
  const last = Math.max(first, time.dayOf((endMs - 1) / 1000));
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
};

/** The local days of a dispatch; of one without an end the days of a week, since later ones are of the same types. */
const daysOf = ({ startMs, endMs, timezone }: InputTerms): number[] => {
  if (endMs !== null) return daysTouched({ startMs, endMs }, timezone);
  const first = localTime(timezone).dayOf(startMs / 1000);
  return Array.from({ length: DAYS_PER_WEEK }, (_, index) => first + index);
};

const DAYS_PER_WEEK = 7;

export const ruleOn = (method: DaysMethod, day: number, { holidays }: InputTerms): DayRule | undefined =>
  ruleFor(method, dayTypeOf(day, new Set(holidays.map(dayOfDate))));

/** Load around the start or the notification: windows, and that of a fallback. */
export const inputsAround = (method: DaysMethod, rule: DayRule | undefined, terms: InputTerms): BaselineInputs[] => {
  const anchors = anchorsOf(terms);
  const { adjust, fallback } = method;
  const inputs: BaselineInputs[] = fallback === null ? [] : [inputsOfMeterBefore(fallback, terms)];
  if (adjust.kind !== "none") inputs.push(movable(windowPeriod(adjust.window, anchors)));
  if (rule?.pick.kind === "match") {
    const { startMs, endMs } = windowPeriod(rule.pick.window, anchors);
    inputs.push({ fromMs: startMs, toMs: endMs });
  }
  return inputs;
};

/** A window may move earlier. */
const movable = ({ startMs, endMs }: Period): BaselineInputs => ({ fromMs: startMs - MOST_MOVED_MS, toMs: endMs });
