import type { Dispatch, DispatchSite } from "../../dispatch/domain/dispatch.js";
import { DAY_MS } from "../../platform/period.js";
import type { Scenario, ScenarioType } from "./scenario.js";

export const CRITERION_NAMES = [
  "notified",
  "fetched",
  "update_fetched",
  "stopped_on_cancel",
  "curtailed_in_time",
  "returned_after",
] as const;
export type CriterionName = (typeof CRITERION_NAMES)[number];

interface Verdict {
  /** not_seen: undecided, or nothing was sent that could decide it. */
  readonly result: "passed" | "failed" | "not_seen";
  readonly at: Date | null;
  readonly detail: string;
}

export interface Criterion extends Verdict {
  readonly name: CriterionName;
  readonly dispatchId: string;
  /** null if it concerns the account. */
  readonly siteId: string | null;
}

export interface RunJudgement {
  readonly id: string;
  readonly type: ScenarioType;
  readonly state: "running" | "final";
  readonly criteria: readonly Criterion[];
}

export interface Report extends RunJudgement {
  readonly notices: readonly ScenarioNotice[];
}

/** A modification of a dispatch that reached the account's systems, or did not. */
export interface ScenarioNotice {
  readonly dispatchId: string;
  readonly modificationNumber: number;
  readonly form: "webhook" | FirstRead["by"];
  /** When it was first read; of a webhook, its last attempt. */
  readonly at: Date;
  readonly isAccepted: boolean;
  /** Address and outcome of a webhook. */
  readonly detail: string;
}

/** When a participant first saw a modification of a dispatch: by GET, or as an event sent to a VEN of OpenADR 2.0a or 3.1. */
export interface FirstRead {
  readonly by: "get" | "openadr2" | "openadr3";
  readonly dispatchId: string;
  readonly number: number;
  readonly firstAt: Date;
}

/** When a webhook first accepted the announcement of a dispatch. */
export interface AcceptedNotice {
  readonly dispatchId: string;
  readonly at: Date;
}

/** A reading of a site, at its timestamp. */
export interface Point {
  readonly atMs: number;
  readonly powerKw: number;
}

/** What a participant did in a scenario. */
export interface Run {
  readonly scenario: Scenario;
  readonly firstReads: readonly FirstRead[];
  readonly answered: readonly AcceptedNotice[];
  /** By site, in order of time. */
  readonly points: ReadonlyMap<string, readonly Point[]>;
}

const MINUTE_MS = 60_000;
const BEFORE_MS = 10 * MINUTE_MS; // G44
const SHORT_NOTICE_MS = 5 * MINUTE_MS; // G44
const RETURN_MS = 15 * MINUTE_MS; // G44
const CURTAILED_SHARE = 0.9; // G44

/** Judges a run by what is known at a moment (G44). */
export const judge = (run: Run, now: Date): RunJudgement => {
  const { id, type, replacedAt, dispatches } = run.scenario;
  const until = replacedAt ?? now;
  const isOver = until >= finalAt(run.scenario);
  const inTime = upTo(run, closedAt(run.scenario));
  const criteria = dispatches.flatMap((states) => new DispatchJudge(inTime, states, until).criteria(isOver));
  return { id, type, state: isOver || replacedAt !== null ? "final" : "running", criteria };
};

/** What came after the end of the run does not change the result. */
const upTo = (run: Run, end: Date): Run => ({
  ...run,
  firstReads: run.firstReads.filter(({ firstAt }) => firstAt <= end),
  answered: run.answered.filter(({ at }) => at <= end),
});

export const isFinal = (scenario: Scenario, now: Date): boolean =>
  scenario.replacedAt !== null || now >= finalAt(scenario);

/** When everything in a run can have been observed. */
export const finalAt = (scenario: Scenario): Date => {
  const lastMs = Math.max(...scenario.dispatches.map((states) => overAt(states, scenario.speed).getTime()));
  return new Date(lastMs + RETURN_MS / scenario.speed);
};

/** When its report is final: when another scenario replaced it, else at the end of its time. */
export const closedAt = (scenario: Scenario): Date => scenario.replacedAt ?? finalAt(scenario);

/** Earliest reading that a run's report uses. */
export const firstLookAt = (scenario: Scenario): Date => {
  const notices = scenario.dispatches.map((states) => states[0]?.changedAt.getTime() ?? 0);
  return new Date(Math.min(...notices) - BEFORE_MS / scenario.speed);
};

/** When a dispatch was over: its end, or its cancellation; without an end, after a day. */
const overAt = (states: readonly Dispatch[], speed: number): Date => {
  const cancelled = cancelledAt(states);
  if (cancelled !== null) return cancelled;
  const last = lastOf(states);
  if (last.end === null) return new Date(last.start.getTime() + DAY_MS / speed);
  return last.end > last.changedAt ? last.end : last.changedAt;
};

const cancelledAt = (states: readonly Dispatch[]): Date | null =>
  lastOf(states).authorized ? null : (states.findLast(isFirstCancelled)?.changedAt ?? null);

const isFirstCancelled = (state: Dispatch, index: number, states: readonly Dispatch[]): boolean =>
  !state.authorized && states[index - 1]?.authorized !== false;

const lastOf = (states: readonly Dispatch[]): Dispatch => {
  const last = states.at(-1);
  if (last === undefined) throw new Error("a scenario's dispatch has at least one state");
  return last;
};

const passed = (at: Date, detail: string): Verdict => ({ result: "passed", at, detail });
const failed = (detail: string): Verdict => ({ result: "failed", at: null, detail });
const notSeen = (detail: string): Verdict => ({ result: "not_seen", at: null, detail });

/** Judges one dispatch of a run. */
class DispatchJudge {
  private readonly first: Dispatch;
  private readonly last: Dispatch;
  private readonly cancelled: Date | null;
  private readonly over: Date;

  constructor(
    private readonly run: Run,
    states: readonly Dispatch[],
    private readonly now: Date,
  ) {
    this.first = states[0] ?? lastOf(states);
    this.last = lastOf(states);
    this.cancelled = cancelledAt(states);
    this.over = overAt(states, run.scenario.speed);
  }

  criteria(isOver: boolean): Criterion[] {
    // An act that is missing may still come, until the run is over.
    const undone = isOver ? failed : notSeen;
    const of = (name: CriterionName, verdict: Verdict, siteId: string | null = null): Criterion => ({
      name,
      dispatchId: this.last.id,
      siteId,
      ...verdict,
    });
    return [
      of("notified", this.notified(undone)),
      of("fetched", this.fetched(undone)),
      ...(this.last.modificationNumber > 0 ? [of("update_fetched", this.updateFetched(undone))] : []),
      ...this.last.sites.flatMap((site) => {
        const curtailed = this.isCancelledBeforeStart ? null : this.curtailed(site);
        const returned = this.returned(site, curtailed);
        return [
          ...(curtailed === null ? [] : [of("curtailed_in_time", curtailed, site.id)]),
          of(this.cancelled === null ? "returned_after" : "stopped_on_cancel", returned, site.id),
        ];
      }),
    ];
  }

  /** Cancelled before it began: nobody had to curtail. */
  private get isCancelledBeforeStart(): boolean {
    return this.cancelled !== null && this.cancelled <= this.last.start;
  }

  private notified(undone: typeof failed): Verdict {
    const answered = this.run.answered.find(({ dispatchId }) => dispatchId === this.last.id)?.at ?? null;
    const seen = this.firstReadOf(0);
    if (answered !== null && (seen === null || answered <= seen.firstAt)) {
      return passed(answered, "a webhook accepted dispatch.create");
    }
    if (seen !== null) return passed(seen.firstAt, `${readWords(seen, "it")} before any webhook responded`);
    return undone("no webhook accepted dispatch.create, the dispatch was not polled, and no VEN received it");
  }

  private fetched(undone: typeof failed): Verdict {
    const seen = this.firstReadOf(0);
    if (seen !== null) return passed(seen.firstAt, readWords(seen, "it"));
    return undone(
      "the dispatch was not read with GET /dispatches or GET /dispatches/{id} after its announcement, and no VEN received it",
    );
  }

  private updateFetched(undone: typeof failed): Verdict {
    const modification = `modification ${this.last.modificationNumber}`;
    const seen = this.firstReadOf(this.last.modificationNumber);
    if (seen !== null) return passed(seen.firstAt, readWords(seen, modification));
    if (this.now < this.last.changedAt) return notSeen("its last update is still ahead");
    return undone(`${modification} was not read with GET after its publication, and no VEN received it`);
  }

  /** The first read of that modification, or of a later one. */
  private firstReadOf(number: number): FirstRead | null {
    const own = this.run.firstReads.filter((read) => read.dispatchId === this.last.id && read.number >= number);
    return own.reduce<FirstRead | null>(
      (first, each) => (first === null || each.firstAt < first.firstAt ? each : first),
      null,
    );
  }

  private curtailed(site: DispatchSite): Verdict {
    const notice = this.first.changedAt;
    const deadline = this.curtailBy;
    if (this.now < deadline) return notSeen(`the site must have curtailed by ${deadline.toISOString()}`);
    const most = this.mostKw(site);
    if (typeof most === "string") return notSeen(most);
    const points = this.pointsOf(site, notice, deadline);
    const last = points.at(-1);
    if (last === undefined) return notSeen("no readings between the notice and the curtailment deadline");
    if (last.powerKw > most) {
      return failed(`${kw(last.powerKw)} at ${deadline.toISOString()}; the limit was ${kw(most)}`);
    }
    const above = points.findLastIndex(({ powerKw }) => powerKw > most);
    const since = points[above + 1] ?? last;
    return passed(new Date(since.atMs), `${kw(since.powerKw)}; the limit was ${kw(most)}`);
  }

  private get curtailBy(): Date {
    const [start, notice] = [this.last.start.getTime(), this.first.changedAt.getTime()];
    const shortMs = SHORT_NOTICE_MS / this.run.scenario.speed;
    return new Date(start - notice >= shortMs ? start : Math.max(start, notice) + shortMs);
  }

  private returned(site: DispatchSite, curtailed: Verdict | null): Verdict {
    const deadline = new Date(this.over.getTime() + RETURN_MS / this.run.scenario.speed);
    if (this.now <= this.over) return notSeen("the dispatch is not over yet");
    if (curtailed !== null && curtailed.result !== "passed") return notSeen("the site did not curtail");
    if (this.isDispatchedAgain(site, deadline))
      return notSeen("another dispatch included the site before it had to return");
    const most = this.mostKw(site);
    if (typeof most === "string") return notSeen(most);
    const points = this.pointsOf(site, this.over, deadline);
    const back = points.find(({ powerKw }) => powerKw > most);
    if (back !== undefined) return passed(new Date(back.atMs), `${kw(back.powerKw)}, more than ${kw(most)}`);
    if (this.now < deadline) return notSeen(`the site must return by ${deadline.toISOString()}`);
    if (points.length === 0) return notSeen("no readings after the end");
    return failed(`no more than ${kw(most)} until ${deadline.toISOString()}`);
  }

  private isDispatchedAgain(site: DispatchSite, deadline: Date): boolean {
    const others = this.run.scenario.dispatches.map(lastOf).filter(({ id }) => id !== this.last.id);
    return others.some(
      ({ authorized, start, end, sites }) =>
        authorized && start < deadline && (end === null || end > this.over) && sites.some(({ id }) => id === site.id),
    );
  }

  /** The most that a curtailed site may draw, or why it is unknown. */
  private mostKw(site: DispatchSite): number | string {
    const { commitmentKw } = site;
    if (commitmentKw === null || commitmentKw === 0) return "the site has no commitment in this dispatch";
    const notice = this.first.changedAt;
    const from = new Date(notice.getTime() - BEFORE_MS / this.run.scenario.speed);
    const before = this.pointsOf(site, from, notice);
    if (before.length === 0) return "no readings in the 10 minutes (divided by speed) before the notice";
    const meanKw = before.reduce((sum, { powerKw }) => sum + powerKw, 0) / before.length;
    return meanKw - CURTAILED_SHARE * commitmentKw;
  }

  private pointsOf({ id }: DispatchSite, after: Date, until: Date): Point[] {
    const points = this.run.points.get(id) ?? [];
    return points.filter(({ atMs }) => atMs > after.getTime() && atMs <= until.getTime());
  }
}

const readWords = ({ by }: FirstRead, what: string): string =>
  by === "get" ? `${what} was read with GET` : `a VEN received ${what}${by === "openadr3" ? " over OpenADR 3.1" : ""}`;

const kw = (powerKw: number): string => `${Math.round(powerKw * 10) / 10} kW`;
