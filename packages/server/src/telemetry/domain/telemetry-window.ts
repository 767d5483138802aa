import { DAY_MS } from "../../platform/period.js";
import { invalid, type Result } from "../../platform/refusal.js";

/** The window of GET /telemetry/kw: labels in (start, end], in Unix milliseconds. */
export interface TelemetryWindow {
  readonly startMs: number;
  readonly endMs: number;
  readonly intervalSeconds: number;
}

const MAX_READ_DAYS = 90;
export const MAX_READ_SITES = 50;
export const MAX_POINTS_PER_SITE = 10_000;

/** Checks the window of a read (G24, G25). */
export const checkWindow = (window: TelemetryWindow): Result<TelemetryWindow> => {
  if (window.endMs <= window.startMs) return invalid("end_time must be after start_time");
  if (window.endMs - window.startMs > MAX_READ_DAYS * DAY_MS) {
    return invalid(
      `the window spans more than ${MAX_READ_DAYS} days; split it into requests of at most ${MAX_READ_DAYS} days`,
    );
  }
  return window;
};

export const tooManyPoints = (siteId: string, intervalSeconds: number) =>
  invalid(
    `site ${siteId} has more than ${MAX_POINTS_PER_SITE} points in the window; split it into windows of at most ` +
      `${Math.floor((MAX_POINTS_PER_SITE * intervalSeconds) / 3600)} hours, or use a longer interval_seconds`,
  );
