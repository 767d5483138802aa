import type { DispatchStores } from "../../dispatch/operations/dispatch-stores.js";
import type { Page, PageRequest } from "../../platform/page.js";
import { notFound, type Result } from "../../platform/refusal.js";
import type { ReplayEvent, ReplayPlace } from "../domain/replay.js";

export interface ReplayReader {
  /** A page of the events of a dispatch, in the order in which the service learned of them. */
  events(dispatchId: string, page: PageRequest<ReplayPlace>): Promise<Page<ReplayEvent, ReplayPlace>>;
}

export interface ReplayPorts {
  readonly replay: ReplayReader;
  readonly stores: Pick<DispatchStores, "dispatches">;
}

/** Events that give the state of a dispatch at any moment of the past. */
export const replayDispatch = async (
  { replay, stores }: ReplayPorts,
  dispatchId: string,
  page: PageRequest<ReplayPlace>,
): Promise<Result<Page<ReplayEvent, ReplayPlace>>> => {
  const revisions = await stores.dispatches.revisions(dispatchId);
  return revisions.length === 0 ? notFound("dispatch") : replay.events(dispatchId, page);
};
