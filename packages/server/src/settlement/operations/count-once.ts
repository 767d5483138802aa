import { countOf, measuredEndMs } from "@curtail/measure";
import {
  type StandingDispatch,
  type StandingReader,
  standingInPieces,
} from "../../performance/operations/final/standing-results.js";
import type { PerformanceStore } from "../../performance/operations/measurement-ports.js";
import type { SiteResult } from "../../performance/operations/site-summary.js";
import { grouped } from "../../platform/grouped.js";
import { turns } from "../../platform/turns.js";
import { monthOf } from "../../portfolio/operations/local-month.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { rulesOfMonth } from "../../portfolio/operations/rules.js";
import type { Contest } from "../domain/contest.js";
import { SETTLEMENT_RULES } from "../domain/settlement-rules.js";
import { rulesOf, type SettledProgram, type SettledResult, type SiteToSettle } from "../domain/statement.js";
import { contestedResult, isLosing } from "./contested-result.js";
import { type GatheredSites, settledResult, tookPlace } from "./gathered-sites.js";
import type { OpenEndedPeriod, SettlementStores } from "./settlement-stores.js";
import { cellsOfDispatch, type MonthTerms, SiteClaims } from "./site-claims.js";

export interface CountingPorts {
  readonly stores: Pick<SettlementStores, "terms"> &
    Pick<PortfolioStores, "rules"> & { readonly performance: Pick<PerformanceStore, "results"> };
  readonly standing: StandingReader;
}

/** Whose dispatches of which programs are counted. */
interface Counting {
  readonly accountId: string;
  readonly programs: readonly SettledProgram[];
}

/**
 * Energy of a site is paid once (G64): where dispatches overlap, the one that was issued first is paid, be it in another
 * month. What the others lose leaves their energy, their commitment and their shortfall.
 */
export const countOnce = async (
  ports: CountingPorts,
  counting: Counting,
  gathered: GatheredSites,
): Promise<OpenEndedPeriod | null> => {
  const exclusive = counting.programs.filter((program) => SETTLEMENT_RULES[rulesOf(program)].isExclusive);
  const ids = new Set(exclusive.map(({ id }) => id));
  const period = hullOf(gathered.dispatches.filter(({ programId }) => ids.has(programId)));
  if (period === null) return null;
  const claims = await claimsOf(counting, gathered);
  const fromMs = await addNeighbours(ports, { accountId: counting.accountId, period, gathered }, claims);
  for (const { id } of exclusive) await countProgram(ports, id, gathered, claims);
  return { ...period, fromMs };
};

const hullOf = (dispatches: readonly StandingDispatch[]): OpenEndedPeriod | null => {
  if (dispatches.length === 0) return null;
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, 0];
  for (const dispatch of dispatches) {
    fromMs = Math.min(fromMs, dispatch.startMs);
    toMs = Math.max(toMs, measuredEndMs(dispatch) ?? Number.POSITIVE_INFINITY);
  }
  return { fromMs, toMs: Number.isFinite(toMs) ? toMs : null };
};

const claimsOf = async ({ programs }: Counting, gathered: GatheredSites): Promise<SiteClaims> => {
  const dispatches = new Map(gathered.dispatches.map((dispatch) => [dispatch.id, dispatch]));
  const claims = new SiteClaims();
  const turn = turns();
  for (const program of programs) {
    const of = { terms: program.terms, rulesVersion: rulesOf(program) };
    for (const { siteId, results } of gathered.sitesOf(program.id)) {
      for (const result of results) {
        const dispatch = dispatches.get(result.dispatchId);
        if (dispatch !== undefined) claims.add(siteId, dispatch, result, of);
      }
      await turn();
    }
  }
  return claims;
};

interface Neighbourhood {
  readonly accountId: string;
  readonly period: OpenEndedPeriod;
  readonly gathered: GatheredSites;
}

/** Adds claims of dispatches of other months that overlap those of this one; the start of the earliest. */
const addNeighbours = async (
  ports: CountingPorts,
  { accountId, period, gathered }: Neighbourhood,
  claims: SiteClaims,
): Promise<number> => {
  let { fromMs } = period;
  const known = new Set(gathered.dispatches.map(({ id }) => id));
  const termsOf = termsOfMonths(ports.stores);
  const neighbours = new Map<StandingDispatch, MonthTerms>();
  for (const dispatch of await ports.standing.overlapping(period, { accountId })) {
    if (known.has(dispatch.id) || !tookPlace(dispatch)) continue;
    const terms = await termsOf(dispatch);
    if (terms !== null) neighbours.set(dispatch, terms);
  }
  for await (const results of standingInPieces(ports.standing, [...neighbours.keys()], { accountId })) {
    const { dispatch } = results;
    const terms = neighbours.get(dispatch);
    // Another form of it: it was voided meanwhile.
    if (terms === undefined) continue;
    for (const site of results.sites) claims.add(site.siteId, dispatch, settledResult(results, site), terms);
    fromMs = Math.min(fromMs, dispatch.startMs);
  }
  return fromMs;
};

/** The terms of dispatches in the months of their start; null: there are none. */
export const termsOfMonths = ({ terms: all, rules }: Pick<CountingPorts["stores"], "terms" | "rules">) => {
  const months = new Map<string, Promise<readonly SettledProgram[]>>();
  let adoptions: ReturnType<typeof rules.adoptions> | null = null;
  return async ({ programId, startMs, timezone }: StandingDispatch): Promise<MonthTerms | null> => {
    const month = monthOf(startMs, timezone);
    const programs = months.get(month) ?? all.ofMonth(month);
    months.set(month, programs);
    const terms = (await programs).find(({ id }) => id === programId)?.terms;
    if (terms === undefined) return null;
    adoptions ??= rules.adoptions();
    return { terms, rulesVersion: rulesOfMonth(month, timezone, await adoptions) };
  };
};

/** Results read at once: some ten kilobytes each. */
const RESULTS_AT_ONCE = 200;

const countProgram = async (
  { stores }: CountingPorts,
  programId: string,
  gathered: GatheredSites,
  claims: SiteClaims,
): Promise<void> => {
  const turn = turns();
  const contested: Contested[] = [];
  for (const site of gathered.sitesOf(programId)) {
    contested.push(...contestedIn(site, claims));
    await turn();
  }
  const expected = new Map(gathered.dispatches.map((dispatch) => [dispatch.id, countOf(cellsOfDispatch(dispatch))]));
  for (const [dispatchId, all] of grouped(contested, ({ result }) => result.dispatchId)) {
    for (let from = 0; from < all.length; from += RESULTS_AT_ONCE) {
      const sites = all.slice(from, from + RESULTS_AT_ONCE);
      const details = await detailsOf(stores, dispatchId, sites);
      for (const { siteId, result, contest } of sites) {
        const toCount = { expected: expected.get(dispatchId) ?? 0, measured: details.get(siteId) ?? null };
        gathered.replace(programId, siteId, contestedResult(result, contest, toCount));
      }
      await turn();
    }
  }
};

interface Contested {
  readonly siteId: string;
  readonly result: SettledResult;
  readonly contest: Contest;
}

const contestedIn = ({ siteId, results }: SiteToSettle, claims: SiteClaims): readonly Contested[] => {
  const contests = claims.contestsOf(siteId);
  return results.flatMap((result) => {
    const contest = contests.get(result.dispatchId);
    return contest === undefined ? [] : [{ siteId, result, contest }];
  });
};

/** Results of the sites that lose intervals; all of a dispatch have the same version. */
const detailsOf = async (
  { performance }: CountingPorts["stores"],
  dispatchId: string,
  sites: readonly Contested[],
): Promise<ReadonlyMap<string, SiteResult>> => {
  const version = sites[0]?.result.version ?? null;
  if (version === null) return new Map();
  const losing = sites.filter(({ contest }) => isLosing(contest)).map(({ siteId }) => siteId);
  const results = await performance.results(dispatchId, version, losing);
  return new Map(results.map((result) => [result.siteId, result]));
};
