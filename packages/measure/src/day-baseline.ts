import { windowPeriod } from "./adjust.js";
import { averageAt } from "./average.js";
import type { DaysTask, EventDay } from "./days-task.js";
import { MOST_MISSING, withFilledEnergy } from "./filled-energy.js";
import { ruleFor } from "./inputs.js";
import { intervalsInside } from "./local-interval.js";
import type { DayRule, DaysMethod } from "./method.js";
import { type DaysAt, type Picking, pickDays } from "./pick.js";
import { type EventSlots, type GatheredPool, gatherPool } from "./pool.js";
import { isRankedByEnergy } from "./used-slots.js";

/** How a local day gets its baseline: its rule, its pool and the days picked from it. */
export interface DayBaseline {
  readonly event: EventDay;
  readonly pool: GatheredPool;
  readonly picking: Picking;
  /** Unadjusted baseline in kW by slot of the local day; NaN if no picked day has load there. */
  readonly profile: (slot: number) => number;
  /** Why there is none; null if there is. */
  readonly reason: string | null;
}

/** `usedSlots`: those in which an earlier day must have readings; null: in all. */
export const dayBaseline = (
  method: DaysMethod,
  task: DaysTask,
  event: EventDay,
  usedSlots: ReadonlySet<number> | null,
): DayBaseline => {
  const rule = ruleFor(method, event.type);
  if (rule === undefined) {
    const reason = `the method has no rule for a ${event.type}; add one whose day_types name it`;
    return { ...none({ days: [], dropped: [], filledWith: [] }), event, reason };
  }
  const pool = poolOf(rule, task, { ...event, usedSlots });
  if (pool.days.length < rule.pool.min_days) {
    const { lookback_days: lookback, min_days: least } = rule.pool;
    const reason = `${pool.days.length} usable days in the preceding ${lookback} days; the method needs ${least}`;
    return { ...none(pool), event, reason };
  }
  const picking = pickDays(pool.days, rule.pick, matchWindow(rule, task));
  return { event, pool, picking, profile: profileOf(method, picking.at), reason: null };
};

const poolOf = (rule: DayRule, task: DaysTask, event: Omit<EventSlots, "mostMissing">): GatheredPool => {
  const isFilled = task.rulesVersion > 1 && isRankedByEnergy(rule);
  const mostMissing = isFilled ? MOST_MISSING : 1;
  const pool = gatherPool(rule.pool, task.loadOn, { ...event, mostMissing }, task.calendar);
  return isFilled ? { ...pool, days: withFilledEnergy(pool.days, task.calendar.intervalSeconds) } : pool;
};

const none = (pool: GatheredPool) => ({
  pool,
  picking: { at: () => [], distances: null },
  profile: () => Number.NaN,
});

const profileOf = (method: DaysMethod, daysAt: DaysAt): DayBaseline["profile"] => {
  const averages = new Map<number, number>();
  return (slot) => {
    const kw = averages.get(slot) ?? averageAt(daysAt(slot), slot, method.average);
    averages.set(slot, kw);
    return kw;
  };
};

const matchWindow = ({ pick }: DayRule, { load, anchors, calendar, event }: DaysTask) => {
  if (pick.kind !== "match") return { load, window: [] };
  const window = intervalsInside(windowPeriod(pick.window, anchors), calendar.intervalSeconds, calendar.time);
  const isOutside = ({ startSeconds, endSeconds }: (typeof window)[number]): boolean =>
    startSeconds * 1000 >= event.endMs || endSeconds * 1000 <= event.startMs;
  return { load, window: window.filter(isOutside) };
};
