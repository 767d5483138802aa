import { measuredEndMs } from "@curtail/measure";
import type { SharedIntervals } from "../../performance/domain/shared-energy.js";
import {
  firstPiece,
  type SharedEnergyIn,
  type StandingDispatch,
  type StandingReader,
  type StandingResults,
} from "../../performance/operations/final/standing-results.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { contestsOf, type EnergyClaim } from "../domain/contest.js";
import { overlappingIn } from "../domain/overlapping.js";
import { SETTLEMENT_RULES } from "../domain/settlement-rules.js";
import { sharedIntervals } from "./contested-result.js";
import { termsOfMonths } from "./count-once.js";
import { settledResult, tookPlace } from "./gathered-sites.js";
import type { SettlementStores } from "./settlement-stores.js";
import { claimOf, type MonthTerms } from "./site-claims.js";

export interface SharingPorts {
  readonly stores: Pick<SettlementStores, "terms"> & Pick<PortfolioStores, "rules">;
  readonly standing: StandingReader;
}

/** What sites claim in a dispatch, by site id. */
type Claims = ReadonlyMap<string, EnergyClaim>;

const NO_CLAIMS: Claims = new Map();

/** Claims that are kept: dispatches of a period are asked for in order of their start. */
const MOST_KEPT = 10_000;
/** Dispatches that are kept whatever they claim: those of the same time. */
const LEAST_KEPT = 50;

/** Which dispatches claim the energy of others, and which are paid, as the statements of their months settle it (G64). */
export const sharedEnergyIn =
  ({ stores, standing }: SharingPorts): SharedEnergyIn =>
  async (period, filter) => {
    const all = (await standing.overlapping(period, filter)).filter(tookPlace);
    const termsOf = termsOfMonths(stores);
    const byId = new Map(all.map((dispatch) => [dispatch.id, dispatch]));
    const overlapping = overlappingIn(all.map(lasting));
    const othersOf = (dispatch: StandingDispatch) => overlapping(lasting(dispatch)).map((other) => other.dispatch);
    const contested = all.filter((dispatch) => othersOf(dispatch).length > 0);
    const claims = new ClaimsInOrder({ standing, termsOf, filter, contested });
    return {
      async of(id) {
        const dispatch = byId.get(id);
        const others = dispatch === undefined ? [] : othersOf(dispatch);
        const terms = dispatch === undefined || others.length === 0 ? null : await termsOf(dispatch);
        if (dispatch === undefined || terms === null || !SETTLEMENT_RULES[terms.rulesVersion].isExclusive)
          return new Map();
        const own = await claims.of(dispatch);
        const rest: Claims[] = [];
        for (const other of others) rest.push(await claims.of(other));
        return sharedBySite(own, rest);
      },
      know: (results) => claims.know(results),
    };
  };

interface ClaimsToRead {
  readonly standing: StandingReader;
  readonly termsOf: ReturnType<typeof termsOfMonths>;
  readonly filter: Parameters<SharedEnergyIn>[1];
  /** Dispatches that overlap others, in order of their start. */
  readonly contested: readonly StandingDispatch[];
}

/** Claims of dispatches that are asked for in order of their start: those of the next ones are read with them. */
class ClaimsInOrder {
  private readonly kept = new Map<string, Claims>();
  private readonly places: ReadonlyMap<string, number>;
  private count = 0;

  constructor(private readonly asked: ClaimsToRead) {
    this.places = new Map(asked.contested.map(({ id }, place) => [id, place]));
  }

  async of(dispatch: StandingDispatch): Promise<Claims> {
    if (!this.kept.has(dispatch.id)) await this.readFrom(dispatch);
    const found = this.kept.get(dispatch.id) ?? NO_CLAIMS;
    this.forget(dispatch.id);
    this.keep(dispatch.id, found);
    for (const id of this.kept.keys()) {
      if (this.count <= MOST_KEPT || this.kept.size <= LEAST_KEPT) break;
      this.forget(id);
    }
    return found;
  }

  /** Keeps the claims of one that overlaps others. */
  async know(results: StandingResults): Promise<void> {
    const { dispatch } = results;
    if (!this.places.has(dispatch.id) || this.kept.has(dispatch.id)) return;
    const terms = await this.payingTermsOf(dispatch);
    this.keep(dispatch.id, terms === null ? NO_CLAIMS : claimsIn(results, terms));
  }

  private async payingTermsOf(dispatch: StandingDispatch): Promise<MonthTerms | null> {
    const terms = await this.asked.termsOf(dispatch);
    return terms === null || terms.terms.energy === null ? null : terms;
  }

  private async readFrom(dispatch: StandingDispatch): Promise<void> {
    const { standing, filter } = this.asked;
    const paying = new Map<StandingDispatch, MonthTerms>();
    for (const each of this.following(dispatch)) {
      const terms = await this.payingTermsOf(each);
      if (terms === null) this.keep(each.id, NO_CLAIMS);
      else paying.set(each, terms);
    }
    if (this.kept.has(dispatch.id)) return;
    for (const results of await firstPiece(standing, [...paying.keys()], filter)) {
      const terms = paying.get(results.dispatch);
      if (terms !== undefined) this.keep(results.dispatch.id, claimsIn(results, terms));
    }
  }

  /** The dispatch, and those after it that are not kept. */
  private following(dispatch: StandingDispatch): readonly StandingDispatch[] {
    const from = this.places.get(dispatch.id);
    if (from === undefined) return [dispatch];
    return this.asked.contested.slice(from, from + READ_AHEAD).filter(({ id }) => !this.kept.has(id));
  }

  private keep(id: string, claims: Claims): void {
    this.kept.set(id, claims);
    this.count += claims.size;
  }

  private forget(id: string): void {
    this.count -= this.kept.get(id)?.size ?? 0;
    this.kept.delete(id);
  }
}

/** Dispatches among which the next ones are looked for that are read together. */
const READ_AHEAD = 100;

const claimsIn = (results: StandingResults, terms: MonthTerms): Claims =>
  new Map(
    results.sites.flatMap((site) => {
      const claim = claimOf(results.dispatch, settledResult(results, site), terms);
      return claim === null ? [] : [[site.siteId, claim] as const];
    }),
  );

const lasting = (dispatch: StandingDispatch) => {
  const { id, startMs } = dispatch;
  return { id, startMs, endMs: measuredEndMs(dispatch) ?? Number.POSITIVE_INFINITY, dispatch };
};

const sharedBySite = (own: Claims, others: readonly Claims[]): ReadonlyMap<string, readonly SharedIntervals[]> => {
  const shared = new Map<string, readonly SharedIntervals[]>();
  for (const [siteId, claim] of own) {
    const claims = [claim, ...others.flatMap((claims) => claims.get(siteId) ?? [])];
    const contest = claims.length === 1 ? undefined : contestsOf(claims).get(claim.dispatchId);
    if (contest !== undefined) shared.set(siteId, contest.shared.map(sharedIntervals));
  }
  return shared;
};
