import type { LivePerformance } from "../../performance/operations/live/live-performance.js";
import type { AlarmCause } from "../../platform/alarm.js";
import type { Clock } from "../../platform/clock.js";
import { grouped } from "../../platform/grouped.js";
import { byUrgency, groupId, groupTitle, groupWhy, priorityOf, type RankedGroup } from "../domain/alarm-group.js";
import type { Explained } from "../domain/shortfall-causes.js";
import type { AlarmGroupReader, Callee, CountedGroup, CountedGroups, GroupedDispatch } from "./alarm-group-ports.js";
import { explainedNow } from "./explained-now.js";

export interface AlarmGroupPorts {
  readonly alarmGroups: AlarmGroupReader;
  readonly live: LivePerformance;
  readonly clock: Clock;
}

/** Whom to call first: the account with the most kW. */
export interface CallFirst extends Callee {
  readonly accountId: string;
  /** null: unknown, or the cause is none of a shortfall. */
  readonly kw: number | null;
}

export interface AlarmGroup extends Omit<CountedGroup, "firstAccountId" | "reasons" | "since">, RankedGroup {
  readonly title: string;
  readonly why: string;
  readonly dispatch: GroupedDispatch | null;
  readonly sites: number;
  readonly callFirst: CallFirst | null;
}

export interface AlarmGroups {
  readonly asOf: Date;
  readonly totals: CountedGroups["totals"];
  /** The most urgent first. */
  readonly groups: readonly AlarmGroup[];
}

/** So that a reply stays small in the greatest flood. */
const MOST_SHOWN = 100;

/** Alarms that stand, in groups; those that are shelved are only counted. */
export const alarmGroups = async ({ alarmGroups: reader, live, clock }: AlarmGroupPorts): Promise<AlarmGroups> => {
  const asOf = clock.now();
  const { groups, totals } = await reader.counted(asOf);
  const weigh = await weigherOf({ reader, live, asOf }, groups);
  const weighed = groups.filter(isShown).map(weigh).toSorted(byUrgency).slice(0, MOST_SHOWN);
  const callees = await reader.callees([...new Set(weighed.flatMap(({ first }) => first?.accountId ?? []))]);
  return {
    asOf,
    totals,
    groups: weighed.map(({ first, ...group }) => ({ ...group, callFirst: calleeOf(first, callees) })),
  };
};

const isShown = ({ since }: CountedGroup): boolean => since !== null;

type First = Pick<CallFirst, "accountId" | "kw"> | null;
type Weighed = Omit<AlarmGroup, "callFirst"> & { readonly first: First };

interface Weighing {
  readonly reader: AlarmGroupReader;
  readonly live: LivePerformance;
  readonly asOf: Date;
}

/** Reads what decides how urgent groups are, for all at once. */
const weigherOf = async ({ reader, live, asOf }: Weighing, groups: readonly CountedGroup[]) => {
  const ids = [...new Set(groups.filter(isShown).flatMap(({ dispatchId }) => dispatchId ?? []))];
  const silentIds = groups.flatMap(({ cause, dispatchId }) => (cause === "no_readings" ? (dispatchId ?? []) : []));
  const [dispatches, called, silent] = await Promise.all([
    ids.length === 0 ? [] : reader.dispatches(ids),
    ids.length === 0 ? [] : reader.sites(ids, asOf),
    silentIds.length === 0 ? [] : reader.silent(silentIds, asOf),
  ]);
  const sites = grouped([...called, ...silent], ({ dispatchId }) => dispatchId);
  const explained = new Map(
    dispatches.map((each) => [each.id, explainedNow({ live, asOf }, each, sites.get(each.id) ?? [])]),
  );
  const known = new Map(dispatches.map((each) => [each.id, each]));
  return (group: CountedGroup): Weighed => {
    const of = group.dispatchId ?? "";
    const own = sites.get(of)?.find(({ cause }) => cause === group.cause)?.sites ?? [];
    const part = explained.get(of)?.causes.get(group.cause as AlarmCause) ?? null;
    return weighed(group, { dispatch: known.get(of) ?? null, sites: own.length, part, asOf });
  };
};

interface Weights {
  readonly dispatch: GroupedDispatch | null;
  readonly sites: number;
  readonly part: Explained | null;
  readonly asOf: Date;
}

const weighed = (
  { firstAccountId, reasons, since, ...group }: CountedGroup,
  { dispatch, sites, part, asOf }: Weights,
): Weighed => {
  const { cause, kind, dispatchId } = group;
  const atStakeKw = part?.kw ?? null;
  return {
    ...group,
    id: groupId(cause, dispatchId),
    title: groupTitle({ ...group, sites, programName: dispatch?.programName ?? null }),
    why: groupWhy(reasons),
    priority: priorityOf({ kind, dispatch, atStakeKw }, asOf),
    since: since ?? asOf,
    dispatch,
    sites,
    atStakeKw,
    first: part?.first ?? (firstAccountId === null ? null : { accountId: firstAccountId, kw: null }),
  };
};

const calleeOf = (first: First, callees: ReadonlyMap<string, Callee>): CallFirst | null => {
  const callee = first === null ? undefined : callees.get(first.accountId);
  return first === null || callee === undefined ? null : { ...first, ...callee };
};
