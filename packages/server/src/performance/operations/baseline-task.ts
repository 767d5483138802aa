import {
  type BaselineMethod,
  type DayStage,
  dayStages,
  type LookbackRequest,
  type LookbackTerms,
  lookbackStages,
  type MeterKey,
  type Period,
  usedStages,
} from "@curtail/measure";
import { once } from "../../platform/once.js";
import type { Reporting } from "../../telemetry/operations/site-load.js";
import type { DispatchToMeasure, SiteHistory } from "./measurement-ports.js";

/** The period and meters that a site's baseline is computed for. */
export interface BaselineTask {
  readonly dispatch: DispatchToMeasure;
  readonly method: BaselineMethod;
  readonly history: SiteHistory;
  readonly meters: readonly MeterKey[];
  readonly reporting: Reporting;
  readonly curve: Period;
}

export interface Stages {
  /** Of the hours that are used; null if whole days are. */
  readonly used: () => readonly Period[][] | null;
  readonly whole: () => readonly Period[][];
  /** Of days that may have profiles; null if the method does not look back on days. */
  readonly byDay: () => readonly DayStage[] | null;
}

let latest: { readonly of: BaselineTask; readonly stages: Stages } | null = null;

/** Most sites of a dispatch look back on the same hours, which take as long to find as to average. */
export const stagesOf = (task: BaselineTask, terms: LookbackTerms): Stages => {
  if (latest !== null && looksBackAlike(latest.of, task)) return latest.stages;
  const { method } = task;
  const stages = {
    used: once(() => usedStages(method, requestOf(task, terms))),
    whole: once(() => lookbackStages(method, terms)),
    byDay: once(() => dayStages(method, requestOf(task, terms))),
  };
  latest = { of: task, stages };
  return stages;
};

const looksBackAlike = (one: BaselineTask, other: BaselineTask): boolean =>
  one.dispatch === other.dispatch &&
  isSameHistory(one.history, other.history) &&
  one.curve.startMs === other.curve.startMs &&
  one.curve.endMs === other.curve.endMs &&
  isSame(one.method, other.method);

/** Sites that are dispatched together have the same, each for itself. */
const isSameHistory = (one: SiteHistory, other: SiteHistory): boolean =>
  one === other ||
  (isSameList(one.events, other.events, (a, b) => a.startMs === b.startMs && a.endMs === b.endMs) &&
    isSameList(one.excludedDays, other.excludedDays, (a, b) => a.date === b.date));

const isSameList = <T>(one: readonly T[], other: readonly T[], isAlike: (a: T, b: T) => boolean): boolean =>
  one.length === other.length &&
  one.every((each, at) => {
    const its = other[at];
    return its !== undefined && isAlike(each, its);
  });

const isSame = (one: BaselineMethod, other: BaselineMethod): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

export const requestOf = (
  { dispatch, curve, history }: BaselineTask,
  { eventDays }: LookbackTerms,
): LookbackRequest => ({
  dispatch,
  timezone: dispatch.timezone,
  holidays: dispatch.holidays,
  eventDays,
  excludedDays: history.excludedDays,
  rulesVersion: dispatch.rulesVersion,
  otherEvents: history.events,
  curve,
});
