import { dayTypeOf } from "./day.js";
import type { DaysTask, EventDay } from "./days-task.js";
import type { Period } from "./load-series.js";
import { intervalsInside, intervalsTouching } from "./local-interval.js";

/**
 * The local days before and after a dispatch that its baseline is needed on, by the curve or by the window of the
 * adjustment (M9). Days after the dispatch look back from its first day, as its own days do.
 *
 *     local days |      Sunday      |      Monday      |     Tuesday      |
 *     needed     |         [window] |     [ dispatch ] |                  |
 *                |                  |     [ curve ---- | ----- ]          |
 *     returned   |        yes       | no, its own day  |       yes        |
 */
export const otherDays = ({ calendar, curve, days }: DaysTask, window: Period | null): EventDay[] => {
  const { time, intervalSeconds, holidays } = calendar;
  const slots = new Map<number, Set<number>>();
  const compared = window === null ? [] : intervalsInside(window, intervalSeconds, time);
  for (const { day, slot } of [...intervalsTouching(curve, intervalSeconds, time), ...compared])
    slots.set(day, (slots.get(day) ?? new Set()).add(slot));
  for (const { day } of days) slots.delete(day);
  const firstDay = days[0]?.day ?? 0;
  return [...slots]
    .map(([day, ofDay]) => ({ day, beforeDay: Math.min(day, firstDay), slots: ofDay, type: dayTypeOf(day, holidays) }))
    .toSorted((a, b) => a.day - b.day);
};
