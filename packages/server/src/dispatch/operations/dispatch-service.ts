import type { Caller } from "../../access/operations/caller.js";
import type { Within } from "../../platform/answer-once.js";
import type { Ports } from "../../platform/ports.js";
import type { Result } from "../../platform/refusal.js";
import type { Dispatch } from "../domain/dispatch.js";
import { createTestDispatch, type IssuingStores, type NewTest } from "./create-dispatch.js";
import { type DispatchView, findDispatch, listDispatches } from "./list-dispatches.js";

/** Whether the caller sees the result: the response to a HEAD does not have the body that would prove it. */
export type Visibility = "seen" | "unseen";

/** Participants' requests about dispatches. */
export interface DispatchService {
  listDispatches(caller: Caller, visibility: Visibility): Promise<readonly Dispatch[]>;
  findDispatch(caller: Caller, id: string, visibility: Visibility): Promise<Result<Dispatch>>;
  /** @param within the transaction that stores the answer, if any */
  createTestDispatch(caller: Caller, test: NewTest, within: Partial<Within<IssuingStores>>): Promise<Result<Dispatch>>;
}

export type DispatchServicePorts = Ports<IssuingStores> & { readonly dispatches: DispatchView };

export const dispatchService = (ports: DispatchServicePorts): DispatchService => ({
  listDispatches: (caller) => listDispatches(ports, caller),
  findDispatch: (caller, id) => findDispatch(ports, caller, id),
  createTestDispatch: (caller, test, within) => createTestDispatch({ ...ports, ...within }, caller, test),
});
