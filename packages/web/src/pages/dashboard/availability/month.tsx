import { useState } from "react";
import { localDay } from "../../../format/local-time.js";
import { duration } from "../../../format/time.js";
import { type CalendarDay, monthAfter, weeksOf } from "../../../rules/calendar.js";
import { Button } from "../../../ui/button.js";
import { useNow } from "../../../ui/use-now.js";

interface Period {
  readonly start_time: string;
  readonly end_time: string;
}

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** A calendar month: the days on which a site is unavailable, in whole or in part. */
export const AvailabilityMonth = ({
  blocks,
  timeZone,
}: {
  readonly blocks: readonly Period[];
  readonly timeZone: string;
}) => {
  const today = localDay(useNow(), timeZone);
  const [months, setMonths] = useState(0);
  const month = monthAfter(today.slice(0, 7), months);
  return (
    <div className="mt-2 max-w-xl">
      <div className="mb-1 flex items-center justify-between gap-2">
        <Button aria-label="Previous month" onClick={() => setMonths(months - 1)}>
          ‹
        </Button>
        <h3 className="font-semibold">{nameOf(month)}</h3>
        <Button aria-label="Next month" onClick={() => setMonths(months + 1)}>
          ›
        </Button>
      </div>
      <table className="w-full table-fixed border-separate border-spacing-1 text-center text-sm">
        <caption className="sr-only">Availability in {nameOf(month)}</caption>
        <thead>
          <tr>
            {weekdays.map((day) => (
              <th key={day} scope="col" className="font-normal text-muted">
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month, blocks, timeZone).map((week) => (
            <tr key={week.find((day) => day !== null)?.date}>
              {week.map((day, index) => (
                <td key={day?.date ?? weekdays[index]} className="p-0">
                  {day !== null && <Day day={day} isToday={day.date === today} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const nameOf = (month: string): string =>
  new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

const Day = ({
  day: { date, blockedMs, lengthMs },
  isToday,
}: {
  readonly day: CalendarDay;
  readonly isToday: boolean;
}) => {
  const words =
    blockedMs === 0 ? "" : blockedMs === lengthMs ? "not available" : `not available for ${duration(blockedMs)}`;
  const look =
    blockedMs === 0 ? "bg-sunken" : blockedMs === lengthMs ? "bg-warn text-surface" : "bg-warn-soft text-warn";
  return (
    <div title={words} className={`rounded-md py-1.5 ${look} ${isToday ? "outline-2 outline-accent" : ""}`}>
      {Number(date.slice(8))}
      {words !== "" && <span className="sr-only"> {words}</span>}
      {isToday && <span className="sr-only"> today</span>}
    </div>
  );
};
