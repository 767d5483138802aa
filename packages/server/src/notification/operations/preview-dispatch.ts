import { type DispatchSite, isRecordAt, type NewDispatch, startsInPast } from "../../dispatch/domain/dispatch.js";
import type { DispatchStores } from "../../dispatch/operations/dispatch-stores.js";
import { findOverlaps, type SiteOverlaps } from "../../dispatch/operations/find-overlaps.js";
import { type PlannedSites, planDispatch } from "../../dispatch/operations/plan-dispatch.js";
import { grouped } from "../../platform/grouped.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { channelsOf, type PreviewedChannel, type Reach, warningsOf } from "../domain/reach.js";

/** How accounts would be notified of a dispatch of these sites. */
export interface ReachReader {
  ofAccounts(accountIds: readonly string[], siteIds: readonly string[]): Promise<readonly Reach[]>;
}

export interface AccountPreview {
  readonly reach: Reach;
  readonly sites: readonly DispatchSite[];
  readonly channels: readonly PreviewedChannel[];
  readonly warnings: readonly string[];
}

export interface DispatchPreview extends PlannedSites {
  readonly accounts: readonly AccountPreview[];
  readonly overlaps: SiteOverlaps;
  /** Nobody would be notified (G61). */
  readonly isRecord: boolean;
  /** Whether issuing it must confirm a start in the past (G61). */
  readonly asksForPast: boolean;
}

export type PreviewPorts = Pick<Ports<PortfolioStores & Pick<DispatchStores, "dispatches">>, "stores" | "clock"> & {
  readonly reach: ReachReader;
};

/** The sites of a dispatch and the channels that would notify them. Refuses what createDispatch refuses; writes nothing. */
export const previewDispatch = async (
  { stores, clock, reach }: PreviewPorts,
  input: NewDispatch,
): Promise<Result<DispatchPreview>> => {
  const at = clock.now();
  const plan = await planDispatch(stores, input, { at, findSites: (ids) => stores.sites.findDispatchable(ids) });
  if (isRefusal(plan)) return plan;
  const ids = plan.sites.map(({ id }) => id);
  const byAccount = grouped(plan.sites, ({ accountId }) => accountId);
  const found = await reach.ofAccounts([...byAccount.keys()], ids);
  const accounts = found.map((each) => ({
    reach: each,
    sites: byAccount.get(each.accountId) ?? [],
    channels: channelsOf(each),
    warnings: warningsOf(each, at),
  }));
  const overlaps = await findOverlaps(stores, { ...input, id: null, sites: plan.sites }, at);
  const past = { isRecord: isRecordAt(input, at), asksForPast: startsInPast(input, at) };
  return { sites: plan.sites, excluded: plan.excluded, accounts, overlaps, ...past };
};
