import type { Baseline, ExcludedDay } from "./baseline-result.js";
import { excludedDaysOf } from "./days-task.js";
import { explainedDays } from "./explained-days.js";
import {
  type BaselineInputs,
  type InputTerms,
  inputsAround,
  inputsOf,
  type NeededDay,
  neededDaysOf,
  ruleFor,
  ruleOn,
} from "./inputs.js";
import type { Period } from "./load-series.js";
import { dayOfDate, type LocalTime, localTime } from "./local-time.js";
import type { BaselineMethod, DaysMethod } from "./method.js";
import { dropByCalendar } from "./pool.js";

/** Days that are read together when a full pool was not enough: some were incomplete, or of low usage. */
const SPARE_DAYS = 4;

export interface LookbackTerms extends InputTerms {
  /** Local days with another dispatch of the site. */
  readonly eventDays: readonly string[];
  /** Local days that an operator excluded. */
  readonly excludedDays?: readonly ExcludedDay[];
}

/**
 * Parts of the load that a baseline may use, each some periods in the order of time, in the order in which to read
 * them: with the first, most baselines are what they would be with all of them. Read the next one while
 * `wantsMoreLookback`. Days of another type, holidays and days that were excluded by hand are in none of them, and days
 * with events only if they may fill the pool. Empty if the method uses no load.
 */
export const lookbackStages = (method: BaselineMethod, terms: LookbackTerms): Period[][] => {
  const inputs = inputsOf(method, terms);
  if (inputs === null) return [];
  if (method.kind !== "days") return [[{ startMs: inputs.fromMs, endMs: inputs.toMs }]];
  return stagesOfDays(method, terms, inputs);
};

/** Whether a baseline that was computed from some parts of the look-back may differ with more of them. */
export const wantsMoreLookback = (method: BaselineMethod, { explanation }: Baseline): boolean => {
  const days = explanation.kind === "meter_before" ? explanation.insteadOf : explanation;
  if (method.kind !== "days" || days?.kind !== "days") return false;
  return explainedDays(days).some(({ eventDayType, pool, filledWith }) => {
    const rule = ruleFor(method, eventDayType);
    return rule !== undefined && (pool.length < rule.pool.days || filledWith !== undefined);
  });
};

const stagesOfDays = (method: DaysMethod, terms: LookbackTerms, { fromMs, toMs }: BaselineInputs): Period[][] => {
  const time = localTime(terms.timezone);
  const firstDay = time.dayOf(terms.startMs / 1000);
  const needed = neededDaysOf(method, terms);
  const pools = needed.map((day) => candidatesOf(method, terms, { ...day, firstDay }));
  // The day before is always among them: the end of its load shows whether more is still to come.
  const around = needed.flatMap(({ day }) =>
    inputsAround(method, ruleOn(method, day, terms), terms).map((inputs) => inputs.fromMs),
  );
  const before = Math.max(fromMs, Math.min(time.startOf(firstDay - 1) * 1000, ...around));
  const periods = (stage: keyof Candidates) =>
    [...new Set(pools.flatMap((each) => each[stage]))].map((day) => periodOfDay(day, time));
  const first = [...periods("likely"), { startMs: before, endMs: toMs }];
  return [first, periods("spare"), periods("rest")].filter((stage) => stage.length > 0).map(joined);
};

/** Days of a pool, in the order in which to read them. */
interface Candidates {
  readonly likely: readonly number[];
  readonly spare: readonly number[];
  readonly rest: readonly number[];
}

interface CandidatesFor extends NeededDay {
  /** The first local day of the dispatch. */
  readonly firstDay: number;
}

/**
 * Days that the calendar admits to the pool of a day, latest first. Those between an earlier day and the dispatch are read
 * with them, although they are not in its pool: what is read for several pools must skip no day of any of them.
 */
const candidatesOf = (
  method: DaysMethod,
  terms: LookbackTerms,
  { day, beforeDay, firstDay, ifMoved }: CandidatesFor,
): Candidates => {
  const pool = ruleOn(method, day, terms)?.pool;
  if (pool === undefined) return { likely: [], spare: [], rest: [] };
  const calendar = {
    holidays: setOf(terms.holidays),
    eventDays: setOf(terms.eventDays),
    excludedDays: excludedDaysOf(terms),
  };
  const count = Math.max(0, firstDay - day + pool.lookback_days);
  const earlier = Array.from({ length: count }, (_, index) => firstDay - 1 - index);
  const candidates = earlier.filter((each) => dropByCalendar(pool, each, calendar) === null);
  // Days with events fill a pool that is short of all others.
  const filling = pool.fill
    ? earlier.filter((each) => dropByCalendar(pool, each, { ...calendar, eventDays: new Set() }) === null)
    : [];
  const full = candidates.filter((each) => each >= beforeDay).length + pool.days;
  const likely = ifMoved ? 0 : full;
  return {
    likely: candidates.slice(0, likely),
    spare: candidates.slice(likely, full + SPARE_DAYS),
    rest: [...candidates.slice(full + SPARE_DAYS), ...filling],
  };
};

const setOf = (dates: readonly string[]): ReadonlySet<number> => new Set(dates.map(dayOfDate));

/** Nothing of the next day: with half of an interval it would count as read. */
const periodOfDay = (day: number, time: LocalTime): Period => ({
  startMs: time.startOf(day) * 1000,
  endMs: time.startOf(day + 1) * 1000,
});

/** The same time in as few periods as possible, in order. */
export const joined = (periods: readonly Period[]): Period[] => {
  const runs: Period[] = [];
  for (const period of periods.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = runs.at(-1);
    if (last === undefined || period.startMs > last.endMs) runs.push(period);
    else runs[runs.length - 1] = { startMs: last.startMs, endMs: Math.max(last.endMs, period.endMs) };
  }
  return runs;
};
