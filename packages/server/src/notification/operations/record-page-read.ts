import type { Caller } from "../../access/operations/caller.js";
import type { DispatchService } from "../../dispatch/operations/dispatch-service.js";
import type { Clock } from "../../platform/clock.js";
import { invalid, isRefusal, type Result } from "../../platform/refusal.js";

export interface PageRead {
  readonly dispatchId: string;
  readonly modificationNumber: number;
}

export interface PageReadStore {
  /** Adds the person's first read of the modification. */
  add(read: PageRead, by: Pick<Caller, "accountId" | "actor">, at: Date): Promise<void>;
}

export interface PageReadPorts {
  readonly stores: { readonly pageReads: PageReadStore };
  readonly dispatches: Pick<DispatchService, "findDispatch">;
  readonly clock: Clock;
}

/** Records that a signed-in person has read a dispatch: the account is notified of that modification (G45). */
export const recordPageRead = async (
  { stores, dispatches, clock }: PageReadPorts,
  caller: Caller,
  read: PageRead,
): Promise<Result<undefined>> => {
  const dispatch = await dispatches.findDispatch(caller, read.dispatchId, "unseen");
  if (isRefusal(dispatch)) return dispatch;
  if (read.modificationNumber > dispatch.modificationNumber) {
    return invalid(
      `modification_number is ${read.modificationNumber}; the dispatch has ${dispatch.modificationNumber}, so nobody has read it yet`,
    );
  }
  // Nobody is notified of a record (G61).
  if (!dispatch.isRecord) await stores.pageReads.add(read, caller, clock.now());
  return undefined;
};
