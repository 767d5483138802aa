import { comparedSeconds, TRIAL_LOOKBACK_DAYS, type TrialDay, type TrialTerms, trialDays } from "@curtail/measure";
import { DAY_MS } from "../../../platform/period.js";
import { turns } from "../../../platform/turns.js";
import type { BaselineSetting } from "../../../portfolio/domain/measurement.js";
import type { Program } from "../../../portfolio/domain/program.js";
import { NEWEST_RULES } from "../../../portfolio/domain/rules.js";
import { methodOf } from "../../../portfolio/operations/baseline-method.js";
import { LONGEST_LOOKBACK_MS } from "../measure-dispatch.js";
import type { DispatchToMeasure, MeasurementPorts, SiteHistory, SiteToMeasure } from "../measurement-ports.js";
import { eventDaysOf } from "../site-baseline.js";
import { SiteMeasurement } from "../site-measurement.js";
import { rememberedRows } from "./remembered-rows.js";
import { outcomeOf, summaryOf, type TrialOutcome, type TrialSummary } from "./trial-outcome.js";

/** The days to try, and the dispatch to assume on each. */
export interface TrialSettings extends Pick<TrialTerms, "dayType" | "startMinute" | "minutes" | "days"> {
  /** Minutes from the notification to the start. */
  readonly leadMinutes: number;
  /** Intervals in which to compare; null: those of each method. */
  readonly intervalSeconds: number | null;
}

/** A method to try. */
export interface TrialMethod {
  /** null: the setting of the enrolment or, without one, of the program. */
  readonly preset: string | null;
  readonly setting: BaselineSetting | null;
}

/** How far a method's baselines were from the load of a site. */
export interface MethodTrial extends TrialSummary, Pick<TrialMethod, "preset"> {
  readonly intervalSeconds: number;
}

interface TrialTask {
  readonly settings: TrialSettings;
  readonly program: Program;
  readonly site: SiteToMeasure;
  readonly methods: readonly TrialMethod[];
}

/** Measures assumed dispatches of a site by each method, as a dispatch is measured. */
export const triedMethods = async (ports: MeasurementPorts, task: TrialTask): Promise<MethodTrial[]> => {
  const { settings, program, site, methods } = task;
  const nowMs = ports.clock.now().getTime();
  const history = await historyOfSite(ports, task, nowMs);
  const rows = rememberedRows(ports.reader, site.meters);
  const outcomes = methods.map((): TrialOutcome[] => []);
  const othersTurn = turns();
  // All methods of a day before the next day: they look back on the same days.
  for (const day of daysOf(task, history, nowMs)) {
    const dispatch = assumedDispatch(program, day, settings);
    for (const [index, { setting }] of methods.entries()) {
      const measured = { dispatch, site: { ...site, baseline: setting }, history: before(history, day) };
      const measurement = await SiteMeasurement.read(rows, measured, nowMs);
      outcomes[index]?.push(outcomeOf(measurement, { day, program, intervalSeconds: secondsOf(settings, setting) }));
      await othersTurn();
    }
  }
  return methods.map(({ preset, setting }, index) => ({
    preset,
    intervalSeconds: secondsOf(settings, setting),
    ...summaryOf(outcomes[index] ?? []),
  }));
};

/** The look-backs of all days that may be tried. */
const periodOfEvents = (nowMs: number) => ({
  fromMs: nowMs - TRIAL_LOOKBACK_DAYS * DAY_MS - LONGEST_LOOKBACK_MS,
  toMs: nowMs,
});

const historyOfSite = async (
  { reader }: Pick<MeasurementPorts, "reader">,
  { site, program }: TrialTask,
  nowMs: number,
): Promise<SiteHistory> => {
  const [events, excluded] = await Promise.all([
    reader.eventsOfSite(site.id, periodOfEvents(nowMs), program),
    reader.excludedDays([site.id]),
  ]);
  return { events, excludedDays: excluded.get(site.id) ?? [] };
};

const daysOf = (
  { settings, program: { timezone, holidays } }: TrialTask,
  { events, excludedDays }: SiteHistory,
  nowMs: number,
): TrialDay[] => {
  const eventDays = [...eventDaysOf(events, timezone), ...excludedDays.map(({ date }) => date)];
  return trialDays({ ...settings, timezone, holidays, eventDays, nowMs });
};

const secondsOf = ({ intervalSeconds }: TrialSettings, setting: BaselineSetting | null): number =>
  intervalSeconds ?? comparedSeconds(methodOf(setting));

/** As for a dispatch, later events do not count. */
const before = ({ events, excludedDays }: SiteHistory, { startMs }: TrialDay): SiteHistory => ({
  events: events.filter((event) => event.startMs < startMs),
  excludedDays,
});

const MINUTE_MS = 60_000;

const assumedDispatch = (
  { timezone, holidays, statusLimits }: Program,
  { date, startMs, endMs }: TrialDay,
  { leadMinutes }: TrialSettings,
): DispatchToMeasure => ({
  id: date,
  timezone,
  holidays,
  statusLimits,
  baseline: null,
  startMs,
  endMs,
  notificationMs: startMs - leadMinutes * MINUTE_MS,
  cancelledMs: null,
  isVoid: false,
  modificationNumber: 0,
  rulesVersion: NEWEST_RULES,
  isSelfMade: false,
  sites: [],
});
