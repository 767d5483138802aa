import { parseDuration } from "../rules/duration.js";

const DAY_MS = 86_400_000;

/** The length of a duration in milliseconds; null if it has years or months, whose length depends on where they begin. */
export const fixedMs = (text: string): number | null => {
  const duration = parseDuration(text);
  if (duration === null || duration.years !== 0 || duration.months !== 0) return null;
  const ms = duration.days * DAY_MS + duration.milliseconds;
  return Number.isFinite(ms) ? ms : null;
};
