import {
  type StandingReader,
  type StandingResults,
  type StandingSite,
  standingResults,
} from "../../performance/operations/standing-results.js";
import { turns } from "../../platform/turns.js";
import { endOfMonthMs, monthOf, periodOf } from "../../portfolio/operations/local-month.js";
import { settleSite } from "../domain/settle-site.js";
import type {
  SettledProgram,
  SettledResult,
  SettledSite,
  SiteToSettle,
  Total,
  WaitingDispatch,
} from "../domain/statement.js";
import { totalsOf } from "../domain/statement-totals.js";
import type { EnrolledAt, Inputs, SettlementStores } from "./settlement-stores.js";

export interface DrawingPorts {
  readonly stores: Pick<SettlementStores, "terms" | "enrolments">;
  readonly standing: StandingReader;
}

/** A statement before it is stored. */
export interface DrawnStatement {
  readonly accountId: string;
  readonly month: string;
  readonly programs: readonly SettledProgram[];
  readonly sites: readonly SettledSite[];
  readonly totals: readonly Total[];
  readonly inputs: Inputs;
}

/** What the statements of a month have in common. */
export interface MonthToSettle {
  readonly month: string;
  readonly programs: readonly SettledProgram[];
  /** Enrolments at the end of the month; null accounts were not asked for. */
  readonly enrolled: readonly EnrolledAt[];
}

/** The programs with terms in a month, and the sites enrolled in them: of an account, or of all. */
export const monthToSettle = async (
  { stores }: DrawingPorts,
  month: string,
  accountId: string | null,
): Promise<MonthToSettle> => {
  const programs = await stores.terms.ofMonth(month);
  const ends = programs.map(({ id, timezone }) => ({ id, at: new Date(endOfMonthMs(month, timezone)) }));
  return {
    month,
    programs,
    enrolled: programs.length === 0 ? [] : await stores.enrolments.enrolledAt(ends, accountId),
  };
};

/** Draws up the statement of an account and month from the results that stand now. */
export const drawUpStatement = async (
  { standing }: Pick<DrawingPorts, "standing">,
  { month, programs, enrolled }: MonthToSettle,
  accountId: string,
): Promise<DrawnStatement> => {
  const gathered = new GatheredSites(enrolled.filter((each) => each.accountId === accountId));
  const terms = new Map(programs.map((program) => [program.id, program]));
  for await (const results of standingResults(standing, periodOf(month), { accountId })) {
    const { dispatch } = results;
    const isSettled = terms.has(dispatch.programId) && monthOf(dispatch.startMs, dispatch.timezone) === month;
    if (isSettled && tookPlace(results)) gathered.add(results);
  }
  const used = programs.filter(({ id }) => gathered.has(id));
  const sites = await settle(used, gathered);
  const endsMs = used.map(({ timezone }) => endOfMonthMs(month, timezone));
  const endsAt = new Date(Math.max(...(endsMs.length === 0 ? [endOfMonthMs(month, "UTC")] : endsMs)));
  const inputs = { endsAt, waiting: gathered.waiting };
  return { accountId, month, programs: used, sites, totals: totalsOf(used, sites), inputs };
};

/** Tests, and dispatches that were voided or cancelled before their start, are not settled. */
const tookPlace = ({ dispatch: { isTest, isVoid, cancelledMs, startMs } }: StandingResults): boolean =>
  !isTest && !isVoid && (cancelledMs === null || cancelledMs > startMs);

const settle = async (programs: readonly SettledProgram[], gathered: GatheredSites): Promise<SettledSite[]> => {
  const settled: SettledSite[] = [];
  const turn = turns();
  for (const { id, terms } of programs) {
    for (const site of gathered.sitesOf(id)) {
      settled.push(settleSite(id, terms, site));
      await turn();
    }
  }
  return settled;
};

type GatheringSite = Omit<SiteToSettle, "results"> & { readonly results: SettledResult[] };

/** The sites of an account by program: those enrolled at the end of the month, and those dispatched in it. */
class GatheredSites {
  readonly waiting: WaitingDispatch[] = [];
  private readonly byProgram = new Map<string, Map<string, GatheringSite>>();

  constructor(enrolled: readonly EnrolledAt[]) {
    for (const { programId, siteId, name, commitmentKw } of enrolled) {
      this.sites(programId).set(siteId, { siteId, name, isEnrolled: true, commitmentKw, results: [] });
    }
  }

  add(results: StandingResults): void {
    const { dispatch, standing, sites } = results;
    const { id: dispatchId, programId, startMs } = dispatch;
    if (standing === null) this.waiting.push({ dispatchId, programId, startMs });
    for (const site of sites) this.siteOf(programId, site).results.push(settledResult(results, site));
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

const settledResult = ({ dispatch, standing }: StandingResults, { result }: StandingSite): SettledResult => {
  const { id: dispatchId, startMs, endMs, cancelledMs } = dispatch;
  const toDate = result?.performance.toDate;
  return {
    dispatchId,
    startMs,
    endMs: cancelledMs === null ? endMs : Math.min(cancelledMs, endMs ?? cancelledMs),
    version: standing?.version ?? null,
    isCancelled: cancelledMs !== null,
    netKwh: toDate?.deliveredKwh ?? null,
    flooredKwh: toDate?.deliveredFlooredKwh ?? null,
    cappedKwh: toDate?.deliveredCappedKwh ?? null,
    committedKwh: toDate?.committedKwh ?? null,
    performance: toDate?.performance ?? null,
    reason: result?.baseline.reason ?? null,
    isSilent: result?.performance.latest === null,
  };
};
