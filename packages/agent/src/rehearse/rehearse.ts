import { dateOf, isDate, type LocalTime, localTime } from "@curtail/measure";
import type { AgentConfig } from "../config/config.js";
import { dayOf, nextDayOfInterest } from "./day.js";
import { findingsOf } from "./findings.js";
import { playDay } from "./play-day.js";
import { type Rehearsal, rehearsalJson, rehearsalLines } from "./rehearsal-text.js";

export interface RehearsalOptions {
  /** The day to play, `YYYY-MM-DD`. Default: the next one on which the clocks of the site are changed, else tomorrow. */
  readonly at?: string;
  /** IANA name. Default: that of this machine. */
  readonly timezone?: string;
  readonly json?: boolean;
}

/** The first and last day that clocks are known well for. */
const [FIRST, LAST] = ["2000-01-01", "2100-12-31"];

/**
 * Plays a day with a configuration.
 *
 * @returns lines to print, or what is wrong with the options
 */
export const rehearse = async (
  config: AgentConfig,
  { at, timezone, json }: RehearsalOptions,
  nowMs: number,
): Promise<{ readonly lines: readonly string[] } | { readonly fault: string }> => {
  const time = knownTime(timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (time === null) return { fault: `--timezone ${timezone} is not known: give an IANA name such as Europe/Berlin` };
  const date = at ?? dateOf(nextDayOfInterest(nowMs, time));
  if (!isDate(date) || date < FIRST || date > LAST)
    return { fault: `--at ${date} is not a day from ${FIRST} to ${LAST}: give it as YYYY-MM-DD` };
  const played = await playDay(config, dayOf(date, time));
  const rehearsal: Rehearsal = { ...played, date, time, findings: findingsOf(config, played) };
  return { lines: json === true ? [rehearsalJson(rehearsal)] : rehearsalLines(rehearsal) };
};

const knownTime = (timezone: string): LocalTime | null => {
  try {
    return localTime(timezone);
  } catch {
    return null;
  }
};
