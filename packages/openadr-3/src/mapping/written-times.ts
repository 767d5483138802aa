/** The duration that stands for "endless". */
export const ENDLESS = "P9999Y";

/** A moment in RFC 3339, in UTC with a `Z`; milliseconds only if there are any. */
export const formatMoment = (at: Date): string => at.toISOString().replace(".000Z", "Z");

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

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
  const days = part(Math.floor(whole / DAY_SECONDS), "D");
  const time =
    part(Math.floor((whole % DAY_SECONDS) / HOUR_SECONDS), "H") +
    part(Math.floor((whole % HOUR_SECONDS) / MINUTE_SECONDS), "M") +
    part(whole % MINUTE_SECONDS, "S");
  return time === "" ? `P${days}` : `P${days}T${time}`;
};

const part = (count: number, unit: string): string => (count === 0 ? "" : `${count}${unit}`);
