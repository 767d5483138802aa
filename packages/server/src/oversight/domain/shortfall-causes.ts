import { type AlarmCause, alarmCauseNames } from "../../platform/alarm.js";

/** A site that has a cause, with what it lacks to its commitment. */
export interface LackingSite {
  readonly siteId: string;
  readonly accountId: string;
  readonly kw: number;
}

/** What a cause explains of a shortfall. */
export interface Explained {
  /** Of what the dispatch lacks, never more. */
  readonly kw: number;
  /** The account with the most of it; null without a site. */
  readonly first: { readonly accountId: string; readonly kw: number } | null;
}

export interface ExplainedShortfall {
  readonly causes: ReadonlyMap<AlarmCause, Explained>;
  /** What no cause explains. */
  readonly restKw: number;
}

/**
 * Attributes what a dispatch lacks to causes, in their order: a site counts once, for the first cause that it has. What other
 * sites deliver beyond their commitments offsets it, so that causes get no more than what is left.
 *
 * @param shortfallKw what the dispatch lacks now; null while that is unknown: then its sites lack what they lack
 */
export const explainShortfall = (
  sitesOf: ReadonlyMap<AlarmCause, readonly LackingSite[]>,
  shortfallKw: number | null,
): ExplainedShortfall => {
  const counted = new Set<string>();
  let leftKw = shortfallKw ?? Number.POSITIVE_INFINITY;
  const causes = new Map<AlarmCause, Explained>();
  for (const cause of alarmCauseNames) {
    const own = sitesOf.get(cause)?.filter(({ siteId }) => isNew(counted, siteId)) ?? null;
    if (own === null) continue;
    const kw = Math.min(lackOf(own), leftKw);
    leftKw -= kw;
    causes.set(cause, { kw, first: largest(own, kw) });
  }
  return { causes, restKw: shortfallKw === null ? 0 : leftKw };
};

const isNew = (counted: Set<string>, siteId: string): boolean => {
  if (counted.has(siteId)) return false;
  counted.add(siteId);
  return true;
};

const lackOf = (sites: readonly LackingSite[]): number => sites.reduce((sum, { kw }) => sum + Math.max(0, kw), 0);

/** By kW, then by id, so that the order is the same each time. */
const largest = (sites: readonly LackingSite[], mostKw: number): Explained["first"] => {
  const byAccount = new Map<string, number>();
  for (const { accountId, kw } of sites) byAccount.set(accountId, (byAccount.get(accountId) ?? 0) + Math.max(0, kw));
  let first: Explained["first"] = null;
  for (const [accountId, kw] of byAccount)
    if (first === null || kw > first.kw || (kw === first.kw && accountId < first.accountId)) first = { accountId, kw };
  return first === null ? null : { ...first, kw: Math.min(first.kw, mostKw) };
};
