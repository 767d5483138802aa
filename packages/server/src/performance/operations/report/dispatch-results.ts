import { dayOfDate, isDate, localTime, localTimestamp, measuredEndMs } from "@curtail/measure";
import { everyItem, type Page, type PageRequest } from "../../../platform/page.js";
import { quote } from "../../../platform/quote.js";
import { invalid, type Refusal, type Result } from "../../../platform/refusal.js";
import { visibleToOperators } from "../../../portfolio/operations/visible-sites.js";
import type { FinalVersion } from "../../domain/version.js";
import {
  type EndedDispatch,
  type PastFilter,
  type SharedEnergyIn,
  type StandingDispatch,
  type StandingReader,
  type StandingResults,
  type StartPlace,
  standingOfAll,
} from "../final/standing-results.js";
import { type CalledSite, calledSites, startDate } from "./called-sites.js";
import { type SeasonFigures, SeasonSums } from "./season-sums.js";

/** What the sites of a dispatch delivered together. */
export interface DispatchResult extends EndedDispatch {
  readonly dispatch: StandingResults["dispatch"];
  readonly standing: FinalVersion | null;
  readonly state: ResultState;
  /** Whether there is a later version than the one that applies. */
  readonly hasLater: boolean;
  readonly localDate: string;
  /** Start and end on the clocks of the program, with their offset. */
  readonly localStart: string;
  readonly localEnd: string | null;
  /** End of the dispatch, or its cancellation; null if it is open. */
  readonly endMs: number | null;
  readonly sites: number;
  readonly commitmentKw: number;
  /** Of the measured sites; null without any. */
  readonly meanReductionKw: number | null;
  readonly figures: SeasonFigures;
  /** Accounts of the sites, and how many of them the latest change reached. */
  readonly accounts: number;
  readonly reachedAccounts: number;
}

export type ResultState = "pending" | "final" | "approved" | "cancelled" | "voided";

export interface DispatchResultPorts {
  readonly standing: StandingReader;
  readonly sharedIn: SharedEnergyIn;
  /** The newest modification that reached each account of these dispatches. */
  readonly reached: (
    dispatchIds: readonly string[],
  ) => Promise<
    ReadonlyArray<{ readonly dispatchId: string; readonly accountId: string; readonly modificationNumber: number }>
  >;
}

/** Results of dispatches that are over, one page at a time. */
export const listDispatchResults = async (
  ports: DispatchResultPorts,
  filter: PastFilter,
  now: Date,
  page: PageRequest<StartPlace>,
): Promise<Result<Page<DispatchResult, StartPlace>>> => refuseDays(filter) ?? pageOf(ports, { filter, now }, page);

/** The same, all of them. */
export const everyDispatchResult = (
  ports: DispatchResultPorts,
  filter: PastFilter,
  now: Date,
): Result<AsyncGenerator<DispatchResult>> =>
  refuseDays(filter) ?? everyItem((page: PageRequest<StartPlace>) => pageOf(ports, { filter, now }, page));

interface Asked {
  readonly filter: PastFilter;
  readonly now: Date;
}

const pageOf = async (
  { standing, sharedIn, reached }: DispatchResultPorts,
  { filter, now }: Asked,
  request: PageRequest<StartPlace>,
): Promise<Page<DispatchResult, StartPlace>> => {
  const { items, next } = await standing.past(filter, now, request);
  // The bounds of the query are wider, since zones differ.
  const inDays = items.filter(({ dispatch }) => isWithin(startDate(dispatch), filter));
  const reachedBy = reachedOf(await reached(inDays.map(({ dispatch }) => dispatch.id)));
  const dispatches = inDays.map(({ dispatch }) => dispatch);
  const shared = await sharedIn(hullOf(dispatches), filter);
  const byId = new Map((await standingOfAll(standing, dispatches, filter)).map((each) => [each.dispatch.id, each]));
  for (const found of byId.values()) await shared.know(found);
  const results: DispatchResult[] = [];
  for (const { dispatch, ...past } of inDays) {
    const found = byId.get(dispatch.id);
    if (found === undefined) continue;
    const calls = calledSites(visibleToOperators(found), await shared.of(dispatch.id));
    results.push(resultOf({ ...found, calls }, past, reachedBy.get(dispatch.id)));
  }
  return { items: results, next };
};

/** From the first start to the last end, or empty. */
const hullOf = (dispatches: readonly StandingDispatch[]) => {
  const ends = dispatches.map((dispatch) => measuredEndMs(dispatch) ?? Number.POSITIVE_INFINITY);
  const [fromMs, toMs] = [Math.min(...dispatches.map(({ startMs }) => startMs)), Math.max(...ends)];
  if (dispatches.length === 0) return { fromMs: 0, toMs: 0 };
  return { fromMs, toMs: Number.isFinite(toMs) ? toMs : null };
};

const isWithin = (date: string, { from, to }: PastFilter): boolean =>
  (from === undefined || date >= from) && (to === undefined || date <= to);

type ReachedBy = ReadonlyMap<string, number>;

/** By dispatch, the newest modification that reached each account. */
const reachedOf = (reached: Awaited<ReturnType<DispatchResultPorts["reached"]>>): ReadonlyMap<string, ReachedBy> => {
  const byDispatch = new Map<string, Map<string, number>>();
  for (const { dispatchId, accountId, modificationNumber } of reached) {
    const accounts = byDispatch.get(dispatchId) ?? new Map<string, number>();
    byDispatch.set(dispatchId, accounts.set(accountId, modificationNumber));
  }
  return byDispatch;
};

type CalledResults = StandingResults & { readonly calls: readonly CalledSite[] };

const resultOf = (results: CalledResults, past: EndedDispatch, reachedBy?: ReachedBy): DispatchResult => {
  const { dispatch, standing, versions, calls } = results;
  const sums = new SeasonSums();
  for (const call of calls) sums.add(call);
  const reductions = calls
    .filter(({ outcome }) => outcome === "measured")
    .flatMap(({ site: { result } }) => result?.performance.toDate.meanReductionKw ?? []);
  const endMs = calls[0]?.endMs ?? null;
  const time = localTime(dispatch.timezone);
  const accounts = new Set(results.sites.map(({ accountId }) => accountId));
  return {
    ...past,
    dispatch,
    standing,
    state: stateOf(results),
    hasLater: standing !== null && standing !== versions.at(-1),
    localDate: startDate(dispatch),
    localStart: localTimestamp(dispatch.startMs, time),
    localEnd: endMs === null ? null : localTimestamp(endMs, time),
    endMs,
    sites: calls.length,
    commitmentKw: sumOf(results.sites.map(({ commitmentKw }) => commitmentKw ?? 0)),
    meanReductionKw: reductions.length === 0 ? null : sumOf(reductions),
    figures: sums.figures(),
    accounts: accounts.size,
    reachedAccounts: [...accounts].filter((id) => (reachedBy?.get(id) ?? -1) >= past.modificationNumber).length,
  };
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const stateOf = ({ dispatch, standing }: Pick<StandingResults, "dispatch" | "standing">): ResultState => {
  if (dispatch.isVoid) return "voided";
  if (dispatch.cancelledMs !== null) return "cancelled";
  if (standing === null) return "pending";
  return standing.reason === "approved" ? "approved" : "final";
};

const refuseDays = ({ from, to }: PastFilter): Refusal | null => {
  const wrong = Object.entries({ from, to }).find(
    ([, date]) => date !== undefined && (!isDate(date) || dayOfDate(date) < 0),
  );
  if (wrong !== undefined)
    return invalid(`${wrong[0]} is "${quote(wrong[1] ?? "")}"; give a date between 1970 and 9999 as YYYY-MM-DD`);
  return from !== undefined && to !== undefined && to < from
    ? invalid("to is before from; give the first and the last day of the period")
    : null;
};
