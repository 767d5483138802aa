import type { Call } from "./load/response.js";
import type { ProgramKey, SiteSpec } from "./site-spec.js";

/** A dispatch before the demo began, so that there are results to look at. */
export interface PastDispatch extends Call {
  readonly program: ProgramKey;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Baselines look back over weekdays before the dispatch. */
const DAYS_BEFORE = 8;
/** Evenings in the central United States, in winter; an hour more or less does not matter for a demo. */
const EVENING_UTC_HOUR = 23;
const AFTERNOON_UTC_HOUR = 19;

/** Up to three, on weekdays with enough history before them. */
export const pastDispatches = (nowMs: number, historyDays: number): readonly PastDispatch[] => {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const days = Array.from({ length: 6 }, (_, at) => at + 2)
    .filter((ago) => ago <= historyDays - DAYS_BEFORE)
    .map((ago) => today - ago * DAY_MS)
    .filter((day) => ![0, 6].includes(new Date(day).getUTCDay()));
  return days.slice(0, kinds.length).flatMap((day, at) => kinds[at]?.(day) ?? []);
};

const pastAt = (startMs: number, hours: number, program: ProgramKey): PastDispatch => ({
  program,
  startMs,
  endMs: startMs + hours * HOUR_MS,
  heardMs: startMs - (program === "peak" ? HOUR_MS : 0),
});

/** Latest first. */
const kinds: ReadonlyArray<(day: number) => PastDispatch> = [
  (day) => pastAt(day + EVENING_UTC_HOUR * HOUR_MS, 2, "peak"),
  (day) => pastAt(day + AFTERNOON_UTC_HOUR * HOUR_MS, 0.5, "reserve"),
  (day) => pastAt(day + EVENING_UTC_HOUR * HOUR_MS, 1.5, "peak"),
];

/** The dispatches of a site's programs. */
export const pastCallsOf = (site: SiteSpec, past: readonly PastDispatch[]): readonly Call[] =>
  past.filter(({ program }) => site.programs.includes(program));
