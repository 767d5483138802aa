import type { Call } from "@curtail/simulation";
import { fill } from "./fill.js";
import type { LiveSite, Participant } from "./participants.js";
import { say } from "./say.js";

/** The days before now for which readings are generated. */
export interface History {
  readonly nowMs: number;
  readonly days: number;
  /** For the first site. */
  readonly showcaseDays: number;
}

const DAY_MS = 86_400_000;
const SECONDS = 300;
const HOUR_MS = 3_600_000;

/** Uploads the history of the fleet; returns its end. */
export const uploadHistory = async (
  participants: readonly Participant[],
  { nowMs, days, showcaseDays }: History,
  callsOf: (site: LiveSite) => readonly Call[],
): Promise<number> => {
  const untilMs = Math.floor(nowMs / (SECONDS * 1000)) * SECONDS * 1000;
  const fromMs = Math.floor((untilMs - days * DAY_MS) / HOUR_MS) * HOUR_MS;
  const startedMs = Date.now();
  const [first] = participants;
  const [showcase] = first?.sites ?? [];
  if (first !== undefined && showcase !== undefined && showcaseDays > days) {
    const span = { fromMs: fromMs - (showcaseDays - days) * DAY_MS, untilMs: fromMs, seconds: SECONDS };
    await fill({ ...first, sites: [showcase] }, span, () => []);
  }
  await Promise.all(participants.map((each) => fill(each, { fromMs, untilMs, seconds: SECONDS }, callsOf)));
  say(
    `history: ${days} days of every site, ${Math.max(days, showcaseDays)} of ${showcase?.spec.name}, uploaded in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`,
  );
  return untilMs;
};
