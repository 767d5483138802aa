import type { ReplayedEvent } from "@curtail/contract/replay";

/** A period in milliseconds since 1970. */
export interface ReplaySpan {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Times {
  readonly notification_time: string;
  readonly creation_time: string;
  readonly start_time: string;
  readonly end_time: string | null;
  readonly record: boolean;
}

const MARGIN_MS = 300_000;
/** An open end is drawn so long after now. */
const OPEN_MS = 1_800_000;
/** What is drawn before the start, unless somebody replays it. */
const MOST_LEAD_MS = 3_600_000;

/** The time axis of a dispatch: from its notification to its end. A notification long before is in it only in a replay. */
export const axisOf = (dispatch: Times, now: Date, isReplay: boolean): ReplaySpan => {
  const startMs = Date.parse(dispatch.start_time);
  const toMs =
    (dispatch.end_time === null ? Math.max(startMs, now.getTime()) + OPEN_MS : Date.parse(dispatch.end_time)) +
    MARGIN_MS;
  const first = firstMs(dispatch);
  const leadMs = Math.max(MOST_LEAD_MS, (toMs - startMs) / 3);
  const fromMs = isReplay || startMs - first <= leadMs ? first : startMs - leadMs;
  return { fromMs: Math.min(fromMs, startMs) - MARGIN_MS, toMs };
};

const firstMs = ({ record, creation_time, notification_time, start_time }: Times): number =>
  record ? Date.parse(start_time) : Math.max(Date.parse(creation_time), Date.parse(notification_time));

/** What can be replayed of it: until now at most. */
export const replayable = ({ fromMs, toMs }: ReplaySpan, now: Date): ReplaySpan => ({
  fromMs,
  toMs: Math.max(fromMs, Math.min(toMs, now.getTime())),
});

/** What can be replayed of a dispatch. */
export const replayOf = (dispatch: Times, now: Date): ReplaySpan => replayable(axisOf(dispatch, now, true), now);

export const within = ({ fromMs, toMs }: ReplaySpan, ms: number): number => Math.min(toMs, Math.max(fromMs, ms));

/** How far along a period, from 0 to 1. */
export const shareOf = ({ fromMs, toMs }: ReplaySpan, ms: number): number =>
  toMs <= fromMs ? 0 : Math.min(1, Math.max(0, (ms - fromMs) / (toMs - fromMs)));

/** Times as many as real ones. */
export const speeds = [1, 10, 60, 300, 600] as const;
export type Speed = (typeof speeds)[number];

/** A moment in an address: seconds, as links are read; null if it is none. */
export const momentOf = (text: string | undefined): number | null => {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? null : ms;
};
export const momentText = (ms: number): string =>
  `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;

/** Several notices at about the same time. */
export interface Cluster {
  readonly fromMs: number;
  readonly toMs: number;
  readonly count: number;
}

/** Alarms that stand at the same time. */
export interface StandingAlarm {
  readonly fromMs: number;
  /** null: some still do. */
  readonly toMs: number | null;
  readonly most: number;
}

export interface Lanes {
  readonly notices: readonly Cluster[];
  readonly calls: ReadonlyArray<{ readonly atMs: number; readonly account: string }>;
  readonly alarms: readonly StandingAlarm[];
  readonly changes: ReadonlyArray<{ readonly atMs: number; readonly what: Revision }>;
}

/** So many notices beside each other are drawn apart. */
const CLUSTERS = 120;

/** What happened in a dispatch, in lanes below its curve. */
export const lanesOf = (events: readonly ReplayedEvent[], axis: ReplaySpan): Lanes => {
  const widthMs = (axis.toMs - axis.fromMs) / CLUSTERS;
  const of = (what: string) => events.filter((event) => event.what === what);
  const names = new Map(of("targeted").map(({ account_id, account_name }) => [account_id, account_name]));
  return {
    notices: clustersOf(
      of("notified").map(({ at }) => Date.parse(at)),
      widthMs,
    ),
    calls: of("phoned").map(({ at, account_id }) => ({ atMs: Date.parse(at), account: names.get(account_id) ?? "" })),
    alarms: standingOf(events),
    changes: events.flatMap(({ at, what }) => (isRevision(what) ? [{ atMs: Date.parse(at), what }] : [])),
  };
};

const revisions = ["issued", "changed", "cancelled", "voided"] as const;
export type Revision = (typeof revisions)[number];

const isRevision = (what: string): what is Revision => revisions.some((each) => each === what);

const clustersOf = (times: readonly number[], widthMs: number): readonly Cluster[] => {
  const clusters: Cluster[] = [];
  for (const ms of times) {
    const last = clusters.at(-1);
    if (last !== undefined && ms - last.fromMs <= widthMs)
      clusters[clusters.length - 1] = { ...last, toMs: ms, count: last.count + 1 };
    else clusters.push({ fromMs: ms, toMs: ms, count: 1 });
  }
  return clusters;
};

const standingOf = (events: readonly ReplayedEvent[]): readonly StandingAlarm[] => {
  const periods: StandingAlarm[] = [];
  const open = new Set<string>();
  let begun: { fromMs: number; most: number } | null = null;
  for (const { at, what, alarm_id = "" } of events) {
    if (what === "alarm_raised") {
      open.add(alarm_id);
      begun ??= { fromMs: Date.parse(at), most: 0 };
      begun.most = Math.max(begun.most, open.size);
    } else if (what === "alarm_cleared" && open.delete(alarm_id) && open.size === 0 && begun !== null) {
      periods.push({ ...begun, toMs: Date.parse(at) });
      begun = null;
    }
  }
  return begun === null ? periods : [...periods, { ...begun, toMs: null }];
};

const STEPS_MINUTES = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1440];
const MOST_TICKS = 8;

/** Labelled moments of a time axis, on whole intervals of the local clock of UTC offset zero. */
export const ticksOf = ({ fromMs, toMs }: ReplaySpan): readonly number[] => {
  const minutes = (toMs - fromMs) / 60_000;
  const stepMs = (STEPS_MINUTES.find((step) => minutes / step <= MOST_TICKS) ?? 1440) * 60_000;
  const first = Math.ceil(fromMs / stepMs) * stepMs;
  return Array.from({ length: Math.max(0, Math.floor((toMs - first) / stepMs) + 1) }, (_, n) => first + n * stepMs);
};
