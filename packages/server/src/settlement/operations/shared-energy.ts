import { measuredEndMs } from "@curtail/measure";
import type { SharedIntervals } from "../../performance/domain/shared-energy.js";
import {
  type SharedEnergyIn,
  type StandingDispatch,
  type StandingReader,
  standingOf,
} from "../../performance/operations/standing-results.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { type Claim, contestsOf } from "../domain/contest.js";
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

/** Dispatches whose claims are kept: those of a period are asked for in order of their start. */
const MOST_KEPT = 50;

/** Which dispatches claim the energy of others, and which are paid, as the statements of their months settle it (G64). */
export const sharedEnergyIn =
  ({ stores, standing }: SharingPorts): SharedEnergyIn =>
  async (period, filter) => {
    const all = (await standing.overlapping(period, filter)).filter(tookPlace);
    const termsOf = termsOfMonths(stores);
    const kept = new Map<string, Promise<ReadonlyMap<string, Claim>>>();
    const readClaims = async (dispatch: StandingDispatch, terms: MonthTerms | null) => {
      if (terms === null || terms.terms.energy === null) return new Map<string, Claim>();
      const results = await standingOf(standing, dispatch, filter);
      return new Map(
        results.sites.flatMap((site) => {
          const claim = claimOf(dispatch, settledResult(results, site), terms);
          return claim === null ? [] : [[site.siteId, claim] as const];
        }),
      );
    };
    const claimsOf = async (dispatch: StandingDispatch) => {
      const found = kept.get(dispatch.id) ?? readClaims(dispatch, await termsOf(dispatch));
      kept.delete(dispatch.id);
      kept.set(dispatch.id, found);
      for (const id of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(id);
      return found;
    };
    const byId = new Map(all.map((dispatch) => [dispatch.id, dispatch]));
    const overlapping = overlappingIn(all.map(lasting));
    return async (id) => {
      const dispatch = byId.get(id);
      const others = dispatch === undefined ? [] : overlapping(lasting(dispatch)).map((other) => other.dispatch);
      const terms = dispatch === undefined || others.length === 0 ? null : await termsOf(dispatch);
      if (dispatch === undefined || terms === null || !SETTLEMENT_RULES[terms.rulesVersion].isExclusive)
        return new Map();
      const own = await claimsOf(dispatch);
      const rest: ReadonlyMap<string, Claim>[] = [];
      for (const other of others) rest.push(await claimsOf(other));
      return sharedBySite(own, rest);
    };
  };

const lasting = (dispatch: StandingDispatch) => {
  const { id, startMs } = dispatch;
  return { id, startMs, endMs: measuredEndMs(dispatch) ?? Number.POSITIVE_INFINITY, dispatch };
};

const sharedBySite = (
  own: ReadonlyMap<string, Claim>,
  others: readonly ReadonlyMap<string, Claim>[],
): ReadonlyMap<string, readonly SharedIntervals[]> => {
  const shared = new Map<string, readonly SharedIntervals[]>();
  for (const [siteId, claim] of own) {
    const claims = [claim, ...others.flatMap((claims) => claims.get(siteId) ?? [])];
    const contest = claims.length === 1 ? undefined : contestsOf(claims).get(claim.dispatchId);
    if (contest !== undefined) shared.set(siteId, contest.shared.map(sharedIntervals));
  }
  return shared;
};
