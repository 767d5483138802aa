import { measuredEndMs } from "@curtail/measure";
import { eachOfAhead } from "../../../platform/ahead.js";
import { fitting, type Page, type PageRequest } from "../../../platform/page.js";
import type { StatusSetting } from "../../../portfolio/domain/measurement.js";
import { judgementOf } from "../../domain/performance.js";
import type { SharedIntervals } from "../../domain/shared-energy.js";
import { type FinalVersion, standingVersion } from "../../domain/version.js";
import { judgedSites } from "../judged.js";
import type { SiteSummary } from "../site-summary.js";

/** A dispatch whose results are read, with its times in whole seconds. */
export interface StandingDispatch {
  readonly id: string;
  readonly programId: string;
  readonly programName: string;
  /** Time zone of the program. */
  readonly timezone: string;
  readonly isTest: boolean;
  /** Created after its end: nobody is notified of it. */
  readonly isRecord: boolean;
  readonly startMs: number;
  /** null: open. */
  readonly endMs: number | null;
  readonly cancelledMs: number | null;
  readonly isVoid: boolean;
  /** When it was created, to the millisecond. */
  readonly issuedMs: number;
  /** Days after its end until which corrections change its result; null: always. Absent where only results are read. */
  readonly correctionsDays?: number | null;
}

/** A dispatch, and how many of its sites are asked for. */
export interface CountedDispatch extends StandingDispatch {
  readonly siteCount: number;
}

/** A site of a dispatch. */
export interface StandingSite {
  readonly siteId: string;
  readonly accountId: string;
  readonly name: string;
  readonly commitmentKw: number | null;
  /** As of the version that applies; null: none yet, or withdrawn. */
  readonly result: SiteSummary | null;
}

/** What the sites of a dispatch delivered, as far as it is final. */
export interface StandingResults {
  readonly dispatch: StandingDispatch;
  /** Oldest first. */
  readonly versions: readonly FinalVersion[];
  /** null: not final yet. */
  readonly standing: FinalVersion | null;
  /** In the order of the dispatch. */
  readonly sites: readonly StandingSite[];
}

/** Selects dispatches by their program, and their sites. */
export interface StandingFilter {
  readonly programId?: string;
  readonly accountId?: string;
  readonly siteId?: string;
}

/** Position of a dispatch in a list by start; the id distinguishes those of the same moment. */
export interface StartPlace {
  readonly startMs: number;
  readonly id: string;
}

/** Which dispatches that are over are listed, and which of their sites. */
export interface PastFilter extends StandingFilter {
  /** The first and the last local day of the start, in the zone of the program. */
  readonly from?: string;
  readonly to?: string;
  readonly tests: "included" | "excluded" | "only";
  readonly order: "newest" | "oldest";
}

/** A dispatch that is over, with the modification and the time that its participants were notified of. */
export interface EndedDispatch {
  readonly modificationNumber: number;
  readonly notification: Date;
  readonly voidReason: string | null;
}

/** From when dispatches start, and before when. */
export interface StandingPeriod {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface StandingReader {
  /** Dispatches with such sites that start in the period, in order of their start; no participants' own tests. */
  dispatches(
    period: StandingPeriod,
    filter: StandingFilter,
    page: PageRequest<StartPlace>,
  ): Promise<Page<CountedDispatch, StartPlace>>;
  /** Dispatches with such sites that overlap a period, in order of their start; no participants' own tests. */
  overlapping(
    period: { readonly fromMs: number /** null: without an end. */; readonly toMs: number | null },
    filter: StandingFilter,
  ): Promise<readonly StandingDispatch[]>;
  /** Dispatches with such sites that are over, in order of their start; a page ends early if they have many sites. */
  past(
    filter: PastFilter,
    now: Date,
    page: PageRequest<StartPlace>,
  ): Promise<Page<EndedDispatch & { readonly dispatch: StandingDispatch }, StartPlace>>;
  /** The final versions of dispatches by their ids, oldest first; a dispatch without any is left out. */
  versions(dispatchIds: readonly string[]): Promise<ReadonlyMap<string, readonly FinalVersion[]>>;
  /** The limits between the statuses of dispatches by their ids; null: the defaults. */
  statusLimits(dispatchIds: readonly string[]): Promise<ReadonlyMap<string, StatusSetting | null>>;
  /** How many such sites dispatches have, by their ids. */
  siteCounts(dispatchIds: readonly string[], filter: StandingFilter): Promise<ReadonlyMap<string, number>>;
  /** The sites of dispatches by their ids, with their results as of a version. */
  sites(of: readonly SitesAsOf[], filter: StandingFilter): Promise<ReadonlyMap<string, readonly StandingSite[]>>;
}

/** A dispatch and a version of its results; null: without results. */
export interface SitesAsOf {
  readonly dispatchId: string;
  readonly version: number | null;
}

/** What dispatches claim of each other. */
export interface SharedEnergy {
  /** The intervals that other dispatches claim of the one with this id, by site id; sites that share nothing are left out. */
  of(dispatchId: string): Promise<ReadonlyMap<string, readonly SharedIntervals[]>>;
  /** Results that were read for something else, of the same sites: they need not be read again. */
  know(results: StandingResults): Promise<void>;
}

/** The same for dispatches of a period: of all sites, of an account or of one site; whatever their programs. */
export type SharedEnergyIn = (
  period: Parameters<StandingReader["overlapping"]>[0],
  filter: Pick<StandingFilter, "accountId" | "siteId">,
) => Promise<SharedEnergy>;

/** What other dispatches claim of one dispatch. */
export const sharedWith = async (
  sharedIn: SharedEnergyIn,
  { id, ...times }: Pick<StandingDispatch, "id" | "startMs" | "endMs" | "cancelledMs">,
  filter: Pick<StandingFilter, "accountId">,
): Promise<ReadonlyMap<string, readonly SharedIntervals[]>> =>
  (await sharedIn({ fromMs: times.startMs, toMs: measuredEndMs(times) }, filter)).of(id);

/** The results of dispatches that start in a period, in order of their start; the next ones are read meanwhile. */
export const standingResults = (
  reader: StandingReader,
  period: StandingPeriod,
  filter: StandingFilter,
): AsyncGenerator<StandingResults> => eachOfAhead(piecesOf(reader, period, filter));

/** Dispatches that are found at once; their results are read in pieces. */
const DISPATCHES_AT_ONCE = 500;

async function* piecesOf(
  reader: StandingReader,
  period: StandingPeriod,
  filter: StandingFilter,
): AsyncGenerator<readonly StandingResults[]> {
  let after: StartPlace | null = null;
  do {
    const page: Page<CountedDispatch, StartPlace> = await reader.dispatches(period, filter, {
      after,
      limit: DISPATCHES_AT_ONCE,
    });
    for (let left = page.items; left.length > 0; ) {
      const count = fitting(
        left.map(({ siteCount }) => siteCount),
        PIECE.sites,
      );
      yield await standingOfAll(reader, left.slice(0, count), filter);
      left = left.slice(count);
    }
    after = page.next;
  } while (after !== null);
}

/** The results of one dispatch. */
export const standingOf = async (
  reader: StandingReader,
  dispatch: StandingDispatch,
  filter: StandingFilter,
): Promise<StandingResults> => {
  const [results] = await standingOfAll(reader, [dispatch], filter);
  if (results === undefined) throw new Error(`there are no results of ${dispatch.id}`);
  return results;
};

/** Dispatches and sites whose results are read in one piece: about a megabyte. */
const PIECE = { dispatches: 100, sites: 1000 } as const;

/** The results of the first of some dispatches: of one with many sites, or of as many as have few together. */
export const firstPiece = async (
  reader: StandingReader,
  dispatches: readonly StandingDispatch[],
  filter: StandingFilter,
): Promise<readonly StandingResults[]> => {
  const some = dispatches.slice(0, PIECE.dispatches);
  if (some.length < 2) return standingOfAll(reader, some, filter);
  const counts = await reader.siteCounts(
    some.map(({ id }) => id),
    filter,
  );
  const count = fitting(
    some.map(({ id }) => counts.get(id) ?? 0),
    PIECE.sites,
  );
  return standingOfAll(reader, some.slice(0, count), filter);
};

/** The results of dispatches in their order, piece by piece. */
export async function* standingInPieces(
  reader: StandingReader,
  dispatches: readonly StandingDispatch[],
  filter: StandingFilter,
): AsyncGenerator<StandingResults> {
  for (let left = dispatches; left.length > 0; ) {
    const piece = await firstPiece(reader, left, filter);
    yield* piece;
    left = left.slice(piece.length);
  }
}

/** The results of dispatches that have few sites together, in two statements. */
export const standingOfAll = async (
  reader: StandingReader,
  dispatches: readonly StandingDispatch[],
  filter: StandingFilter,
): Promise<readonly StandingResults[]> => {
  const known = await reader.versions(dispatches.map(({ id }) => id));
  const found = dispatches.map((dispatch) => {
    const versions = known.get(dispatch.id) ?? [];
    return { dispatch: asOf(versions, dispatch), versions, standing: standingVersion(versions) };
  });
  const sites = await reader.sites(
    found.map(({ dispatch, standing }) => ({ dispatchId: dispatch.id, version: standing?.version ?? null })),
    filter,
  );
  return found.map(({ dispatch, versions, standing }) => ({
    dispatch,
    versions,
    standing,
    sites: judged(dispatch, standing === versions.at(-1), sites.get(dispatch.id) ?? []),
  }));
};

/** A dispatch that was voided after it was read has withdrawn results: nothing must be paid for them. */
const asOf = (versions: readonly FinalVersion[], dispatch: StandingDispatch): StandingDispatch =>
  dispatch.isVoid || versions.at(-1)?.reason !== "withdrawn" ? dispatch : { ...dispatch, isVoid: true };

const judged = (dispatch: StandingDispatch, isNewest: boolean, sites: readonly StandingSite[]) => {
  const judgement = judgementOf(dispatch, isNewest);
  return sites.map((site) => {
    const [result = null] = site.result === null ? [] : judgedSites(judgement, [site.result]);
    return { ...site, result };
  });
};
