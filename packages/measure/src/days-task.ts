import type { AnchorsMs } from "./adjust.js";
import type { BaselineRequest } from "./baseline-result.js";
import { dayTypeOf, slotOf } from "./day.js";
import { type CellRange, cellsTouching, type LoadSeries, onGrid } from "./load-series.js";
import { dayOfDate, localTime } from "./local-time.js";
import type { DaysMethod, DayType } from "./method.js";
import type { Calendar, EventSlots } from "./pool.js";

/** A request prepared for the engine: load on the method's grid, local days as numbers. */
export interface DaysTask {
  readonly load: LoadSeries;
  readonly calendar: Calendar;
  readonly event: EventSlots;
  readonly eventCells: CellRange;
  readonly dayType: DayType;
  readonly anchors: AnchorsMs;
  readonly openEnded: boolean;
}

export const daysTask = (method: DaysMethod, request: BaselineRequest): DaysTask => {
  const { startMs, endMs, notificationMs } = request.dispatch;
  const intervalSeconds = method.interval_seconds;
  if (request.load.intervalSeconds > intervalSeconds) {
    throw new RangeError(
      `load of ${request.load.intervalSeconds} s is too coarse for intervals of ${intervalSeconds} s; give finer load`,
    );
  }
  const time = localTime(request.timezone);
  const calendar = {
    time,
    holidays: new Set(request.holidays.map(dayOfDate)),
    eventDays: new Set(request.eventDays.map(dayOfDate)),
  };
  const day = time.dayOf(startMs / 1000);
  // An open end counts as the end of the local day: the chosen days must not change from minute to minute.
  const period = { startMs, endMs: endMs ?? time.startOf(day + 1) * 1000 };
  const eventCells = cellsTouching(period, intervalSeconds);
  const slots = new Set<number>();
  for (let cell = eventCells.first; cell <= eventCells.last; cell++) slots.add(slotOf(cell, intervalSeconds, time));
  return {
    load: onGrid(request.load, intervalSeconds),
    calendar,
    event: { day, slots },
    eventCells,
    dayType: dayTypeOf(day, calendar.holidays),
    anchors: { start: startMs, notification: notificationMs },
    openEnded: endMs === null,
  };
};
