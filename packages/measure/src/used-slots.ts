import { windowPeriod } from "./adjust.js";
import type { DaysTask, EventDay } from "./days-task.js";
import { ruleFor } from "./inputs.js";
import type { Period } from "./load-series.js";
import { intervalsInside, intervalsTouching } from "./local-interval.js";
import type { DayRule, DaysMethod } from "./method.js";

/** Slots in which each local day has a baseline: of the curve and the adjustment, and those that days are matched in. */
export const slotsByDay = (
  method: DaysMethod,
  { anchors, calendar, curve }: DaysTask,
  { days, window }: { readonly days: readonly EventDay[]; readonly window: Period | null },
): ReadonlyMap<number, ReadonlySet<number>> => {
  const { intervalSeconds, time } = calendar;
  const slots = new Map(days.map(({ day }) => [day, new Set<number>()]));
  const compared = window === null ? [] : intervalsInside(window, intervalSeconds, time);
  for (const { day, slot } of [...intervalsTouching(curve, intervalSeconds, time), ...compared])
    slots.get(day)?.add(slot);
  for (const { day, type } of days) {
    const pick = ruleFor(method, type)?.pick;
    if (pick?.kind !== "match") continue;
    // Days are compared by the local clock, whichever day the window is on.
    for (const { slot } of intervalsInside(windowPeriod(pick.window, anchors), intervalSeconds, time))
      slots.get(day)?.add(slot);
  }
  return slots;
};

/**
 * The slots in which an earlier day must have readings to be complete, for each local day that has a baseline: all that its
 * baseline or its ranking uses. null: the whole day, by the first rules.
 */
export const usedSlotsBy = (
  method: DaysMethod,
  task: DaysTask,
  { days, window }: { readonly days: readonly EventDay[]; readonly window: Period | null },
): ((event: EventDay) => ReadonlySet<number> | null) => {
  const slots = slotsByDay(method, task, { days, window });
  return (event) => {
    if (task.rulesVersion === 1) return null;
    return new Set([...event.slots, ...(slots.get(event.day) ?? [])]);
  };
};

/** Whether days are ranked by the energy of the whole day: then it must be known but for some gaps. */
export const isRankedByEnergy = ({ pick }: DayRule): boolean => "rank_by" in pick && pick.rank_by === "daily_energy";
