import { dayOfDate, localTime } from "@curtail/measure";
import { invalid, isRefusal, type Refusal, type Result } from "../../../platform/refusal.js";
import type { LatestCall, ReportBy } from "./season-report.js";
import type { TryMethods } from "./try-method.js";
import type { ReportQuestion, ReportRow } from "./view-report.js";

/** How far the baselines of a site's method were from its load, on days like that of its latest call (M17). */
export interface RowAccuracy {
  readonly days: number;
  readonly relativeRmse: number | null;
  readonly relativeBias: number | null;
}

/** Each site takes the look-backs of ten days. */
const MOST_SITES = 20;
const DAYS = 10;
const MINUTE_MS = 60_000;
const LONGEST_MINUTES = 1440;
/** An open dispatch has no length yet. */
const DEFAULT_MINUTES = 60;

/** The method depends on the program. */
export const refuseAccuracy = ({ filter }: ReportQuestion, by: ReportBy): Refusal | null =>
  by === "site" && filter.programId !== undefined
    ? null
    : invalid("accuracy is that of a site's method in a program; set by=site and program_id");

/** The accuracy of each row's site, by site id. */
export const accuracyOfRows = async (
  tryMethods: TryMethods,
  rows: readonly ReportRow[],
): Promise<Result<ReadonlyMap<string, RowAccuracy>>> => {
  if (rows.length > MOST_SITES) {
    return invalid(
      `accuracy is computed for at most ${MOST_SITES} sites, and ${rows.length} were requested; set account_id, site_id or the limit of a page`,
    );
  }
  const found = new Map<string, RowAccuracy>();
  for (const { latest } of rows) {
    if (latest === null) continue;
    const trials = await tryMethods(questionOf(latest));
    const [trial] = isRefusal(trials) ? [] : trials.methods;
    if (trial === undefined) continue;
    const { relativeRmse, relativeBias } = trial.accuracy;
    found.set(latest.siteId, { days: trial.daysTried.length, relativeRmse, relativeBias });
  }
  return found;
};

const questionOf = ({ siteId, dispatch, localDate, endMs }: LatestCall): Parameters<TryMethods>[0] => {
  const minutes = endMs === null ? DEFAULT_MINUTES : Math.round((endMs - dispatch.startMs) / MINUTE_MS);
  return {
    siteId,
    programId: dispatch.programId,
    startMinute: Math.floor(localTime(dispatch.timezone).secondOfDay(dispatch.startMs / 1000) / 60),
    minutes: Math.min(LONGEST_MINUTES, Math.max(1, minutes)),
    days: DAYS,
    dayType: dayTypes[(dayOfDate(localDate) + THURSDAY) % 7] ?? "weekday",
    leadMinutes: 0,
    intervalSeconds: null,
    presets: [],
  };
};

/** Day 0 was one. */
const THURSDAY = 4;
const dayTypes: Readonly<Record<number, "saturday" | "sunday">> = { 0: "sunday", 6: "saturday" };
