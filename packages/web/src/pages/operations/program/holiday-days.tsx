import { say } from "@curtail/words/page";
import { DATE_LOCALE } from "../../../format/locale.js";

interface Day {
  readonly date: string;
  readonly name: string | null;
  readonly local_name: string | null;
  /** Such as `added by hand`. */
  readonly note?: string | undefined;
}

/** Holidays by year. Names in the language of the country follow where they differ. */
export const HolidayDays = ({ days }: { readonly days: readonly Day[] }) => {
  const years = [...new Set(days.map(({ date }) => date.slice(0, 4)))];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {years.map((year) => (
        <section key={year} aria-label={say("Holidays {year}", { year })}>
          <h3 className="text-sm font-semibold">{year}</h3>
          <ul className="text-sm">
            {days
              .filter(({ date }) => date.startsWith(year))
              .map((day) => (
                <DayLine key={day.date} day={day} />
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
};

const DayLine = ({ day: { date, name, local_name, note } }: { readonly day: Day }) => (
  <li className="flex gap-3 py-0.5">
    <span className="whitespace-nowrap tabular-nums">{weekdayAndDate(date)}</span>
    <span className="min-w-0 break-words">
      {name}
      {local_name !== null && local_name !== name && <span className="text-muted"> · {local_name}</span>}
      {note !== undefined && <strong className="font-medium"> {name === null ? note : `(${note})`}</strong>}
    </span>
  </li>
);

/** `Fri 2026-07-03`. */
const weekdayAndDate = (date: string): string =>
  `${new Date(`${date}T00:00:00Z`).toLocaleDateString(DATE_LOCALE, { weekday: "short", timeZone: "UTC" })} ${date}`;
