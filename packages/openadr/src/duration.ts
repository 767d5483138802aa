const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const WEEK_SECONDS = 7 * DAY_SECONDS;

/**
 * Seconds as an ISO 8601 duration without fractions, rounded up: 5400 is `PT1H30M`, 0 is `PT0S`. Throws a RangeError
 * for negative or infinite values.
 */
export const formatDuration = (durationSeconds: number): string => {
  const whole = Math.ceil(durationSeconds);
  if (!Number.isSafeInteger(whole) || whole < 0) {
    throw new RangeError(`${durationSeconds} seconds cannot be written as a duration; give 0 or more`);
  }
  if (whole === 0) return "PT0S";
  const days = part(Math.floor(whole / DAY_SECONDS), "D");
  const time =
    part(Math.floor((whole % DAY_SECONDS) / HOUR_SECONDS), "H") +
    part(Math.floor((whole % HOUR_SECONDS) / MINUTE_SECONDS), "M") +
    part(whole % MINUTE_SECONDS, "S");
  return time === "" ? `P${days}` : `P${days}T${time}`;
};

const part = (count: number, unit: string): string => (count === 0 ? "" : `${count}${unit}`);

const DURATION = /^\+?P(?:(\d{1,9})W|(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12})S)?)?)$/;

/**
 * Parses an ISO 8601 duration into seconds. null for anything else, and for years and months, whose length depends on
 * the date.
 */
export const parseDuration = (text: string): number | null => {
  const match = DURATION.exec(text);
  if (match === null || !/\d/.test(text)) return null;
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((digits) => Number(digits ?? 0));
  return (
    (weeks ?? 0) * WEEK_SECONDS +
    (days ?? 0) * DAY_SECONDS +
    (hours ?? 0) * HOUR_SECONDS +
    (minutes ?? 0) * MINUTE_SECONDS +
    (seconds ?? 0)
  );
};
