/** A moment in local time. */
export interface Moment {
  readonly atMs: number;
  /** 0 to 24, with fractions. */
  readonly hour: number;
  readonly isWeekend: boolean;
  /** From 0, on the first of January. */
  readonly dayOfYear: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the moments of a time zone; queries Intl only once per half hour, because it is slow. */
export const momentsIn = (timezone: string): ((atMs: number) => Moment) => {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: timezone, timeZoneName: "longOffset" });
  const offsets = new Map<number, number>();
  const offsetAt = (atMs: number): number => {
    // Clocks change at quarter hours at the finest; half hours fit all zones in use.
    const key = Math.floor(atMs / (HOUR_MS / 2));
    const known = offsets.get(key);
    if (known !== undefined) return known;
    const found = offsetOf(format, atMs);
    offsets.set(key, found);
    return found;
  };
  return (atMs) => momentOf(atMs, offsetAt(atMs));
};

const momentOf = (atMs: number, offsetMs: number): Moment => {
  const localMs = atMs + offsetMs;
  const local = new Date(localMs);
  const weekday = local.getUTCDay();
  return {
    atMs,
    hour: (localMs - Math.floor(localMs / DAY_MS) * DAY_MS) / HOUR_MS,
    isWeekend: weekday === 0 || weekday === 6,
    dayOfYear: Math.floor((localMs - Date.UTC(local.getUTCFullYear(), 0, 1)) / DAY_MS),
  };
};

/** `GMT-05:00`, or `GMT` for none. */
const offsetOf = (format: Intl.DateTimeFormat, atMs: number): number => {
  const name = format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return sign === undefined ? 0 : (sign === "-" ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * 60_000);
};
