import { measuredEndMs } from "@curtail/measure";
import { countingOf, type ResultQuality } from "../../performance/domain/result-quality.js";
import type {
  StandingDispatch,
  StandingResults,
  StandingSite,
} from "../../performance/operations/final/standing-results.js";
import type { SettledResult, SiteToSettle, WaitingDispatch } from "../domain/statement.js";
import type { EnrolledInMonth } from "./enrolled-in-month.js";

type GatheringSite = Omit<SiteToSettle, "results"> & { readonly results: SettledResult[] };

/** The sites of an account by program: those enrolled in the month, and those dispatched in it. */
export class GatheredSites {
  readonly waiting: WaitingDispatch[] = [];
  /** In order of their start. */
  readonly dispatches: StandingDispatch[] = [];
  private readonly byProgram = new Map<string, Map<string, GatheringSite>>();

  constructor(enrolled: readonly EnrolledInMonth[]) {
    for (const { programId, accountId: _account, ...site } of enrolled) {
      this.sites(programId).set(site.siteId, { ...site, results: [] });
    }
  }

  add(results: StandingResults): void {
    const { dispatch, standing, sites } = results;
    const { id: dispatchId, programId, startMs } = dispatch;
    this.dispatches.push(dispatch);
    if (standing === null) this.waiting.push({ dispatchId, programId, startMs });
    for (const site of sites) this.siteOf(programId, site).results.push(settledResult(results, site));
  }

  /** Replaces the result of a site in a dispatch. */
  replace(programId: string, siteId: string, result: SettledResult): void {
    const { results = [] } = this.sites(programId).get(siteId) ?? {};
    const index = results.findIndex(({ dispatchId }) => dispatchId === result.dispatchId);
    if (index >= 0) results[index] = result;
  }

  has(programId: string): boolean {
    return this.byProgram.has(programId);
  }

  /** By name. */
  sitesOf(programId: string): readonly SiteToSettle[] {
    return [...this.sites(programId).values()].toSorted(
      (a, b) => compare(a.name, b.name) || compare(a.siteId, b.siteId),
    );
  }

  private siteOf(programId: string, { siteId, name }: StandingSite): GatheringSite {
    const sites = this.sites(programId);
    const found = sites.get(siteId) ?? { siteId, name, isEnrolled: false, commitmentKw: null, results: [] };
    sites.set(siteId, found);
    return found;
  }

  private sites(programId: string): Map<string, GatheringSite> {
    const found = this.byProgram.get(programId) ?? new Map<string, GatheringSite>();
    this.byProgram.set(programId, found);
    return found;
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Tests, and dispatches that were voided or cancelled before their start, are not settled. */
export const tookPlace = ({ isTest, isVoid, cancelledMs, startMs }: StandingDispatch): boolean =>
  !isTest && !isVoid && (cancelledMs === null || cancelledMs > startMs);

/** What a statement uses of the result of a site. */
export const settledResult = ({ dispatch, standing }: StandingResults, { result }: StandingSite): SettledResult => {
  const { id: dispatchId, startMs, cancelledMs, issuedMs } = dispatch;
  const toDate = result?.performance.toDate;
  return {
    dispatchId,
    startMs,
    endMs: measuredEndMs(dispatch),
    version: standing?.version ?? null,
    isCancelled: cancelledMs !== null,
    netKwh: toDate?.deliveredKwh ?? null,
    flooredKwh: toDate?.deliveredFlooredKwh ?? null,
    cappedKwh: toDate?.deliveredCappedKwh ?? null,
    committedKwh: toDate?.committedKwh ?? null,
    performance: toDate?.performance ?? null,
    reason: result?.baseline.reason ?? null,
    isSilent: result?.performance.latest === null,
    issuedMs,
    ...countedAs(result?.quality),
  };
};

/** How a site counts by what is missing, or as the operator decided (G64). */
const countedAs = (quality: ResultQuality | undefined): Pick<SettledResult, "isMissing" | "isUnjudged" | "decided"> => {
  if (quality === undefined) return {};
  const { decision } = quality;
  return {
    ...(countingOf(quality) === "not_delivered" ? { isMissing: true } : {}),
    ...(decision?.counts === "not_judged" ? { isUnjudged: true } : {}),
    ...(decision === null ? {} : { decided: decision.reason }),
  };
};
