import type { Actor } from "../../../access/domain/account.js";
import type { AccessStores } from "../../../access/operations/access-stores.js";
import type { DispatchStores } from "../../../dispatch/operations/dispatch-stores.js";
import type { Ports } from "../../../platform/ports.js";
import { invalid, isRefusal, notFound, type Result } from "../../../platform/refusal.js";
import type { FinalVersion } from "../../domain/version.js";
import type { PerformanceStores } from "../performance-stores.js";

export type ApprovingStores = PerformanceStores & Pick<DispatchStores, "dispatches"> & Pick<AccessStores, "audit">;

export interface Approval {
  readonly dispatchId: string;
  /** The version that the operator has seen; it must be the newest. */
  readonly version: number;
  readonly note: string;
}

/**
 * Approves the newest result of a dispatch as a version of its own: it does not change any more, and what comes later is
 * listed beside it (M15).
 */
export const approveResult = (
  { transact, clock }: Ports<ApprovingStores>,
  actor: Actor,
  { dispatchId, version, note }: Approval,
) =>
  transact(async (stores): Promise<Result<readonly FinalVersion[]>> => {
    // Corrections wait, and so do changes of the dispatch, voiding it among them.
    await stores.performance.awaitTurn();
    const dispatch = await stores.dispatches.lock(dispatchId);
    if (dispatch === null) return notFound("dispatch");
    if (note.trim() === "") return invalid("note is blank; say why the result is approved");
    const newest = approvable((await stores.performance.versions(dispatchId)).at(-1), version);
    if (isRefusal(newest)) return newest;
    const at = clock.now();
    const { rulesVersion } = newest;
    const kept = { version: version + 1, isLate: false, rulesVersion };
    const approved: FinalVersion = { ...kept, at, reason: "approved", actor, note };
    await stores.performance.add(dispatchId, approved, []);
    const { start, end, authorized, modificationNumber } = dispatch;
    const after = { start, end, authorized, modificationNumber, approvedVersion: approved.version, note };
    await stores.audit.append({ actor, at }, "dispatch.approve", { id: dispatchId, accountId: null }, { after });
    return stores.performance.versions(dispatchId);
  });

const approvable = (newest: FinalVersion | undefined, version: number): Result<FinalVersion> => {
  if (newest === undefined) return invalid("the result is not final yet; approve it once it is");
  if (newest.reason === "withdrawn") return invalid("the dispatch was voided, and its results are withdrawn");
  if (newest.version === version) return newest;
  return invalid(`version ${version} is not the newest; look at version ${newest.version}, and approve that`);
};
