import type { Caller } from "../../access/operations/caller.js";
import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { DispatchStore, PastDispatchFilter } from "../../dispatch/operations/dispatch-stores.js";
import type { FinalVersion } from "../../performance/domain/version.js";
import {
  type StandingReader,
  type StandingResults,
  standingOf,
} from "../../performance/operations/final/standing-results.js";
import { type CallOutcome, calledSites, startDate } from "../../performance/operations/report/called-sites.js";
import { SeasonSums } from "../../performance/operations/report/season-sums.js";
import type { Clock } from "../../platform/clock.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { StatusSetting } from "../../portfolio/domain/measurement.js";
import type { SiteStore } from "../../portfolio/operations/portfolio-stores.js";
import { sitesVisibleTo, type Visible, visibleSitesOf } from "../../portfolio/operations/visible-sites.js";
import type { ListedStatement, StatementStore } from "../../settlement/operations/settlement-stores.js";

export interface PastDispatchPorts {
  readonly stores: {
    readonly dispatches: Pick<DispatchStore, "pastOf">;
    readonly statements: Pick<StatementStore, "list">;
    readonly sites: Pick<SiteStore, "displayed">;
  };
  readonly standing: StandingReader;
  readonly clock: Clock;
}

/** What the visible sites of an account delivered in a dispatch. */
export interface PastResult {
  readonly outcome: CallOutcome;
  readonly standing: FinalVersion | null;
  readonly sites: number;
  readonly measuredSites: number;
  readonly meanReductionKw: number | null;
  readonly performance: number | null;
  readonly deliveredKwh: number | null;
  /** Of the dispatch; null: the defaults. */
  readonly statusLimits: StatusSetting | null;
}

export interface PastDispatch {
  readonly dispatch: Dispatch;
  readonly result: Visible<PastResult>;
  /** That of the month in which it began; null: there is none. */
  readonly statement: Pick<ListedStatement, "id" | "month" | "state"> | null;
}

/** Past dispatches of an account with their results; two statements for each, as a page has few. */
export const pastDispatches = async (
  ports: PastDispatchPorts,
  viewer: Caller,
  filter: Omit<PastDispatchFilter, "now">,
  page: PageRequest,
): Promise<Page<PastDispatch>> => {
  const { stores, standing, clock } = ports;
  const { accountId } = viewer;
  const found = await stores.dispatches.pastOf(accountId, { ...filter, now: clock.now() }, page);
  const visible = await sitesVisibleTo(stores.sites, viewer);
  const statementOf = statementsByMonth(ports, accountId);
  const limits = await standing.statusLimits(found.items.map(({ id }) => id));
  const items: PastDispatch[] = [];
  for (const dispatch of found.items) {
    const results = await standingOf(standing, standingDispatch(dispatch), { accountId });
    const statement = await statementOf(startDate(results.dispatch).slice(0, 7));
    items.push({ dispatch, result: resultOf(visibleSitesOf(results, visible), limits.get(dispatch.id)), statement });
  }
  return { ...found, items };
};

/** Each month is read once. */
const statementsByMonth = ({ stores, clock }: PastDispatchPorts, accountId: string) => {
  const known = new Map<string, ListedStatement | null>();
  return async (month: string): Promise<ListedStatement | null> => {
    const before = known.get(month);
    if (before !== undefined) return before;
    const filter = { accountId, fromMonth: month, toMonth: month, state: null };
    const page = await stores.statements.list(filter, clock.now(), { after: null, limit: 1 });
    const statement = page.items[0] ?? null;
    known.set(month, statement);
    return statement;
  };
};

const standingDispatch = (dispatch: Dispatch) => ({
  id: dispatch.id,
  programId: dispatch.program.id,
  programName: dispatch.program.name,
  timezone: dispatch.program.timezone,
  isTest: dispatch.test,
  isRecord: dispatch.isRecord,
  startMs: dispatch.start.getTime(),
  endMs: dispatch.end?.getTime() ?? null,
  cancelledMs: dispatch.authorized ? null : dispatch.changedAt.getTime(),
  isVoid: dispatch.voidReason !== null,
  issuedMs: dispatch.createdAt.getTime(),
});

const resultOf = (
  results: Visible<StandingResults>,
  statusLimits: StatusSetting | null = null,
): Visible<PastResult> => {
  const calls = calledSites(results);
  const sums = new SeasonSums();
  for (const call of calls) sums.add(call);
  const { performance, deliveredKwh } = sums.figures();
  const measured = calls.filter(({ outcome }) => outcome === "measured");
  const means = measured.flatMap(({ site }) => site.result?.performance.toDate.meanReductionKw ?? []);
  return {
    ...results,
    outcome: measured[0]?.outcome ?? calls[0]?.outcome ?? "not_final",
    sites: calls.length,
    measuredSites: means.length,
    meanReductionKw: means.length === 0 ? null : means.reduce((sum, kw) => sum + kw, 0),
    performance,
    deliveredKwh,
    statusLimits,
  };
};
