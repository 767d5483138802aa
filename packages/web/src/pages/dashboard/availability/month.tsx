import { say } from "@curtail/words/page";
import { useState } from "react";
import { localDay } from "../../../format/local-time.js";
import { DATE_LOCALE } from "../../../format/locale.js";
import { type AvailabilityDay, availabilityWeeks, cellWord, dayWords } from "../../../rules/availability-day.js";
import { Button } from "../../../ui/button.js";
import { useNow } from "../../../ui/use-now.js";
import type { Block, OwnSite } from "./own-blocks.js";

const weekdayFormat = new Intl.DateTimeFormat(DATE_LOCALE, { weekday: "short", timeZone: "UTC" });

/** From Monday on: the 1st of January 2024 is one. */
const weekdays = Array.from({ length: 7 }, (_, day) => weekdayFormat.format(Date.UTC(2024, 0, 1 + day)));

/** A calendar month of one or more sites; a click on a day opens it. */
export const AvailabilityMonth = ({
  month,
  onMonth,
  blocks,
  sites,
  onDay,
}: {
  /** `2026-11` */
  readonly month: string;
  readonly onMonth: (steps: number) => void;
  readonly blocks: readonly Block[];
  readonly sites: readonly OwnSite[];
  readonly onDay: (date: string) => void;
}) => {
  const today = localDay(useNow(), sites[0]?.timezone ?? "UTC");
  // One day of the month is in the order of Tab; the arrow keys go to the others.
  const [focused, setFocused] = useState<string | null>(null);
  const inOrder = focused?.startsWith(month) ? focused : today.startsWith(month) ? today : `${month}-01`;
  return (
    <div>
      <div className="mb-1 flex items-center justify-between gap-2">
        <Button aria-label={say("Previous month")} onClick={() => onMonth(-1)}>
          ‹
        </Button>
        <h3 aria-live="polite" className="font-semibold">
          {nameOf(month)}
        </h3>
        <Button aria-label={say("Next month")} onClick={() => onMonth(1)}>
          ›
        </Button>
      </div>
      <table className="w-full table-fixed border-separate border-spacing-0.5 text-center sm:border-spacing-1">
        <caption className="sr-only">
          {say("Availability in {month}. Choose a day to change it.", { month: nameOf(month) })}
        </caption>
        <thead>
          <tr>
            {weekdays.map((day) => (
              <th key={day} scope="col" className="text-sm font-normal text-muted">
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {availabilityWeeks(month, blocks, sites).map((week) => (
            <tr key={week.find((day) => day !== null)?.date}>
              {week.map((day, index) => (
                <td key={day?.date ?? weekdays[index]} className="p-0">
                  {day !== null && (
                    <Day
                      day={day}
                      sites={sites.length}
                      isToday={day.date === today}
                      isInOrder={day.date === inOrder}
                      onOpen={() => onDay(day.date)}
                      onKey={(event) => moveFocus(event, setFocused)}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const daysAway: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

const moveFocus = (event: React.KeyboardEvent<HTMLElement>, onFocus: (date: string) => void): void => {
  const days = [...(event.currentTarget.closest("table")?.querySelectorAll<HTMLElement>("button[data-date]") ?? [])];
  const to = days[days.indexOf(event.currentTarget) + (daysAway[event.key] ?? Number.NaN)];
  if (to === undefined) return;
  event.preventDefault();
  onFocus(to.dataset["date"] ?? "");
  to.focus();
};

const nameOf = (month: string): string =>
  new Intl.DateTimeFormat(DATE_LOCALE, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

const Day = ({
  day,
  sites,
  isToday,
  isInOrder,
  onOpen,
  onKey,
}: {
  readonly day: AvailabilityDay;
  readonly sites: number;
  readonly isToday: boolean;
  readonly isInOrder: boolean;
  readonly onOpen: () => void;
  readonly onKey: (event: React.KeyboardEvent<HTMLElement>) => void;
}) => {
  const number = Number(day.date.slice(8));
  return (
    <button
      type="button"
      data-date={day.date}
      tabIndex={isInOrder ? 0 : -1}
      aria-label={
        isToday
          ? say("{day} {words}, today", { day: number, words: dayWords(day, sites) })
          : `${number} ${dayWords(day, sites)}`
      }
      onClick={onOpen}
      onKeyDown={onKey}
      className={`flex min-h-13 w-full flex-col items-center justify-center rounded-md leading-tight sm:min-h-14 ${lookOf(day)} ${isToday ? "outline-2 outline-accent" : ""}`}
    >
      <span className="font-medium">{number}</span>
      <span className="text-[0.6875rem] whitespace-nowrap">{cellWord(day, sites) || "\u00a0"}</span>
    </button>
  );
};

const lookOf = ({ off, part, reduced }: AvailabilityDay): string => {
  if (off > 0) return "bg-warn text-surface";
  if (part > 0) return "bg-warn-soft text-warn";
  return reduced > 0 ? "bg-info-soft text-info" : "bg-sunken hover:bg-accent-soft";
};
