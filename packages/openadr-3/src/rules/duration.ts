/** A duration of the calendar, all parts with the same sign. */
export interface CalendarDuration {
  readonly years: number;
  readonly months: number;
  readonly days: number;
  readonly milliseconds: number;
}

const FORM = /^(-?)P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)([DW]))?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** An ISO 8601 duration as the specification writes it; null for any other text. */
export const parseDuration = (text: string): CalendarDuration | null => {
  const match = FORM.exec(text);
  if (match === null) return null;
  const sign = match[1] === "-" ? -1 : 1;
  const part = (index: number): number => sign * Number(match[index] ?? 0);
  return {
    years: part(2),
    months: part(3),
    days: part(4) * (match[5] === "W" ? 7 : 1),
    milliseconds: Math.round(part(6) * HOUR_MS + part(7) * MINUTE_MS + part(8) * 1000),
  };
};

/** The moment that a duration later is, in UTC; null if it is after the year 9999, which means never. */
export const addDuration = (at: Date, { years, months, days, milliseconds }: CalendarDuration): Date | null => {
  const added = new Date(at.getTime());
  // The last day of a shorter month, as calendars do: 31 January and a month is the end of February.
  const day = added.getUTCDate();
  added.setUTCDate(1);
  added.setUTCFullYear(added.getUTCFullYear() + years, added.getUTCMonth() + months);
  added.setUTCDate(Math.min(day, daysOfMonth(added)));
  added.setUTCDate(added.getUTCDate() + days);
  const ended = new Date(added.getTime() + milliseconds);
  return ended.getUTCFullYear() <= LAST_YEAR ? ended : null;
};

const LAST_YEAR = 9999;

const daysOfMonth = (month: Date): number => {
  const last = new Date(month.getTime());
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  return last.getUTCDate();
};
