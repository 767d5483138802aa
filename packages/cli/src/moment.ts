import { formatTimestamp, parseTimestamp } from "./timestamp.js";

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

/** Parses `90s`, `2h`, `1h30m` into milliseconds; null for anything else. */
export const parseDuration = (text: string): number | null => {
  const parts = /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/.exec(text);
  if (parts === null || text === "") return null;
  const [, days, hours, minutes, seconds] = parts;
  return ms(days, "d") + ms(hours, "h") + ms(minutes, "m") + ms(seconds, "s");
};

const ms = (count: string | undefined, unit: keyof typeof unitMs): number => Number(count ?? 0) * unitMs[unit];

/**
 * Parses a moment as people write it: `now`, `+10m`, `-5m`, or RFC 3339, which is returned unchanged; null for anything
 * else.
 */
export const parseMoment = (text: string, now: Date): string | null => {
  if (text === "now") return wholeSecond(now.getTime());
  const sign = text[0];
  if (sign !== "+" && sign !== "-") return Number.isNaN(parseTimestamp(text)) ? null : text;
  const durationMs = parseDuration(text.slice(1));
  return durationMs === null ? null : wholeSecond(now.getTime() + (sign === "+" ? durationMs : -durationMs));
};

export const MOMENT_FORMS = "now, +10m, +1h30m, -5m, or RFC 3339 such as 2026-07-01T18:00:00Z";

// A relative time needs no fractions of a second, and reads better without.
const wholeSecond = (ms: number): string => formatTimestamp(Math.floor(ms / 1000) * 1000);
