import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
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

const judged = {
  good: say("on commitment"),
  warn: say("below commitment"),
  bad: say("well below commitment"),
} as const;

const outcomes: Readonly<Record<Result["outcome"], string>> = {
  measured: say("no commitment"),
  without_baseline: say("no baseline"),
  not_final: say("result not final yet"),
  cancelled: say("not judged"),
  voided: say("voided"),
};

/** The result in a few words. */
export const outcomeWords = ({ outcome, performance }: Result): string =>
  outcome === "measured" && performance !== null ? judged[shareTone(performance, null)] : outcomes[outcome];

/** `Version 2, approved, 3 of 4 sites measured`; empty where there is no result. */
export const versionWords = ({ version, approved, sites, measured_sites, outcome }: Result): string => {
  if (version === null) return "";
  const isPartial = outcome === "measured" && measured_sites < sites;
  const words = approved ? say("Version {version}, approved", { version }) : say("Version {version}", { version });
  return isPartial
    ? say("{version}, {n} of {sites, plural, one {# site} other {# sites}} measured", {
        version: words,
        n: measured_sites,
        sites,
      })
    : words;
};
