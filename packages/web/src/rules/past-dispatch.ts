import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { counted } from "../format/quantity.js";
import { shareTone } from "./delivered-share.js";

type Result = participantConsole.PastDispatch["result"];

const DAY_MS = 86_400_000;

export const periodsBack = [
  { id: "7d", label: say("Last 7 days"), days: 7 },
  { id: "30d", label: say("Last 30 days"), days: 30 },
  { id: "90d", label: say("Last 90 days"), days: 90 },
  { id: "365d", label: say("Last 365 days"), days: 365 },
] as const;

/** Since when dispatches are listed: the start of an hour, so that the request stays the same; null: all. */
export const startOfPeriod = (period: string | undefined, now: Date): string | null => {
  const days = periodsBack.find(({ id }) => id === period)?.days;
  if (days === undefined) return null;
  const HOUR_MS = 3_600_000;
  return new Date(Math.floor((now.getTime() - days * DAY_MS) / HOUR_MS) * HOUR_MS).toISOString();
};

const judged = { good: "on commitment", warn: "below commitment", bad: "well below commitment" } as const;

const outcomes: Readonly<Record<Result["outcome"], string>> = {
  measured: "no commitment",
  without_baseline: "no baseline",
  not_final: "result not final yet",
  cancelled: "not judged",
  voided: "voided",
};

/** The result in a few words. */
export const outcomeWords = ({ outcome, performance }: Result): string =>
  outcome === "measured" && performance !== null ? judged[shareTone(performance, null)] : outcomes[outcome];

/** `Version 2, approved, 3 of 4 sites measured`; empty where there is no result. */
export const versionWords = ({ version, approved, sites, measured_sites, outcome }: Result): string => {
  if (version === null) return "";
  const partial =
    outcome === "measured" && measured_sites < sites ? `, ${measured_sites} of ${counted(sites, "site")} measured` : "";
  return `Version ${version}${approved ? ", approved" : ""}${partial}`;
};
