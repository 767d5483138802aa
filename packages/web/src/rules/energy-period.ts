import { say } from "@curtail/words/page";
import { daysAfter, localDay, startOfDay } from "../format/local-time.js";

/** Parameters of the address. They have the whole state of the page, so that a link shows what its sender saw. */
export interface EnergySearch {
  readonly site?: string;
  readonly period?: string;
  readonly from?: string;
  readonly to?: string;
  /** A range selected on the chart. */
  readonly zoomFrom?: string;
  readonly zoomTo?: string;
}

export interface Period {
  readonly start: Date;
  readonly end: Date;
}

const MINUTE_MS = 60_000;

export const periods = [
  { id: "today", label: say("Today") },
  { id: "yesterday", label: say("Yesterday") },
  { id: "7d", label: say("7 days") },
  { id: "30d", label: say("30 days") },
  { id: "year", label: say("Year") },
] as const;

/** The period of an address in the time zone of the site; null if it has none. */
export const periodOf = (search: EnergySearch, timeZone: string, now: Date): Period | null => {
  const zoomed = between(search.zoomFrom, search.zoomTo);
  if (zoomed !== null) return zoomed;
  if (search.period === "custom") return between(search.from, search.to);
  const end = nextMinutes(now, search.period === undefined || search.period === "today" ? 1 : 15);
  const midnight = (daysBack: number) => localMidnight(now, timeZone, daysBack);
  switch (search.period) {
    case "yesterday":
      return { start: midnight(1), end: midnight(0) };
    case "7d":
      return { start: midnight(6), end };
    case "30d":
      return { start: midnight(29), end };
    case "year":
      return { start: midnight(364), end };
    default:
      return { start: midnight(0), end };
  }
};

const between = (from: string | undefined, to: string | undefined): Period | null => {
  const [start, end] = [new Date(from ?? ""), new Date(to ?? "")];
  return start < end ? { start, end } : null;
};

/** Rounds up, so that the request stays the same for a while. */
const nextMinutes = (now: Date, minutes: number): Date =>
  new Date(Math.ceil(now.getTime() / (minutes * MINUTE_MS)) * minutes * MINUTE_MS);

const localMidnight = (now: Date, timeZone: string, daysBack: number): Date =>
  startOfDay(daysAfter(localDay(now, timeZone), -daysBack), timeZone) ?? now;

/** `30 s`, `15 min`, `6 h`, `1 day`. */
export const intervalName = (seconds: number): string => {
  if (seconds >= 86_400) return say("1 day");
  if (seconds >= 3600) return `${seconds / 3600} h`;
  return seconds >= 60 ? `${seconds / 60} min` : `${seconds} s`;
};
