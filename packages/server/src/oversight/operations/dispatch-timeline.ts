import type { DispatchStores } from "../../dispatch/operations/dispatch-stores.js";
import { revealed } from "../../notification/domain/evidence.js";
import type { Clock } from "../../platform/clock.js";
import { notFound, type Result } from "../../platform/refusal.js";
import { byTime, type Happened, revealedOf, revisionsOf } from "../domain/timeline.js";

export interface TimelineReader {
  /** Of a dispatch: what reached accounts, calls, alarms and results, in any order. */
  happened(dispatchId: string): Promise<readonly Happened[]>;
}

export interface TimelinePorts {
  readonly timeline: TimelineReader;
  readonly stores: Pick<DispatchStores, "dispatches">;
  readonly clock: Clock;
}

/** Everything that happened in a dispatch, oldest first. */
export const dispatchTimeline = async (
  { timeline, stores, clock }: TimelinePorts,
  dispatchId: string,
): Promise<Result<readonly Happened[]>> => {
  const dispatch = await stores.dispatches.find(dispatchId);
  if (dispatch === null) return notFound("dispatch");
  const [revisions, happened] = await Promise.all([
    stores.dispatches.revisions(dispatchId),
    timeline.happened(dispatchId),
  ]);
  const accounts = new Set(dispatch.sites.map(({ accountId }) => accountId)).size;
  const visible = revealed(dispatch, revisions, clock.now());
  return [...revisionsOf(revisions, dispatch.voidReason), ...revealedOf(visible, accounts), ...happened].toSorted(
    byTime,
  );
};
