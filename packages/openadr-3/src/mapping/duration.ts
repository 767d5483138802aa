/** The duration that stands for "endless". */
export const ENDLESS = "P9999Y";

/** An ISO 8601 duration; how long years and months are depends on where they begin. */
export interface Duration {
  readonly years: number;
  readonly months: number;
  readonly ms: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

// Each number is limited, so that no sum of them overflows.
const DURATION =
  /^(-?)P(?=\d|T\d)(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})([DW]))?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/;

/** Parses a duration as the specification writes it; null for anything else. */
export const parseDuration = (text: string): Duration | null => {
  const match = DURATION.exec(text);
  if (match === null) return null;
  const sign = match[1] === "-" ? -1 : 1;
  const [years, months, days, hours, minutes, seconds] = [2, 3, 4, 6, 7, 8].map(
    (group) => sign * Number(match[group] ?? 0),
  ) as [number, number, number, number, number, number];
  const dayMs = match[5] === "W" ? WEEK_MS : DAY_MS;
  return {
    years: years + 0,
    months: months + 0,
    ms: days * dayMs + hours * HOUR_MS + minutes * MINUTE_MS + Math.round(seconds * SECOND_MS),
  };
};

/** Its length in milliseconds; null if it has years or months, whose length depends on where they begin. */
export const lengthMs = ({ years, months, ms }: Duration): number | null => (years === 0 && months === 0 ? ms : null);

/** The moment that is a duration after another one, by the calendar in UTC; null if it is beyond all dates: endless. */
export const after = (start: Date, { years, months, ms }: Duration): Date | null => {
  const at = new Date(start);
  if (years !== 0 || months !== 0) {
    const day = at.getUTCDate();
    at.setUTCDate(1);
    at.setUTCMonth(at.getUTCMonth() + 12 * years + months);
    if (at.getUTCFullYear() > LAST_YEAR || Number.isNaN(at.getTime())) return null;
    at.setUTCDate(Math.min(day, daysInMonth(at)));
  }
  const end = new Date(at.getTime() + ms);
  return Number.isNaN(end.getTime()) || end.getUTCFullYear() > LAST_YEAR ? null : end;
};

/** The last year that an RFC 3339 timestamp can write. */
const LAST_YEAR = 9999;

const daysInMonth = (at: Date): number => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();

/**
 * Seconds as an ISO 8601 duration without fractions, rounded up: 5400 is `PT1H30M`. Throws a RangeError for negative or
 * infinite values.
 */
export const formatDuration = (seconds: number): string => {
  const whole = Math.ceil(seconds);
  if (!Number.isSafeInteger(whole) || whole < 0) {
    throw new RangeError(`${seconds} seconds cannot be written as a duration; give 0 or more`);
  }
  if (whole === 0) return "PT0S";
  const days = part(Math.floor(whole / 86_400), "D");
  const time = [part(Math.floor((whole % 86_400) / 3600), "H"), part(Math.floor((whole % 3600) / 60), "M")].join("");
  const rest = time + part(whole % 60, "S");
  return rest === "" ? `P${days}` : `P${days}T${rest}`;
};

const part = (count: number, unit: string): string => (count === 0 ? "" : `${count}${unit}`);
