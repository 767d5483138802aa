import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Act } from "../../access/operations/audit-ports.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal, notFound, type Result } from "../../platform/refusal.js";
import { changed, type Dispatch, type DispatchChange } from "../domain/dispatch.js";
import type { DispatchStores } from "./dispatch-stores.js";
import { findOverlaps, NO_OVERLAPS, type SiteOverlaps } from "./find-overlaps.js";

export type ChangingStores = DispatchStores & Pick<AccessStores, "accounts" | "audit">;

export interface ChangedDispatch {
  readonly dispatch: Dispatch;
  readonly overlaps: SiteOverlaps;
}

/** Changes, ends, cancels or voids a dispatch; a change that changes nothing leaves it as it is (G16). */
export const changeDispatch = async (
  { transact, stores, clock }: Ports<ChangingStores>,
  actor: Actor,
  id: string,
  change: DispatchChange,
): Promise<Result<ChangedDispatch>> => {
  const at = clock.now();
  const dispatch = await transact((within) => applyChange(within, { actor, at }, id, change));
  if (isRefusal(dispatch)) return dispatch;
  return { dispatch, overlaps: dispatch.authorized ? await findOverlaps(stores, dispatch, at) : NO_OVERLAPS };
};

/** Cancels all of an account's own tests that are not over; answers their ids. */
export const cancelTests = ({ transact, clock }: Ports<ChangingStores>, actor: Actor, accountId: string) =>
  transact(async (stores): Promise<Result<readonly string[]>> => {
    // A concurrent creation waits, or is counted.
    if ((await stores.accounts.lock(accountId)) === null) return notFound("account");
    const at = clock.now();
    const ids = await stores.dispatches.unfinishedTests(accountId, at);
    for (const id of ids) {
      const cancelled = await applyChange(stores, { actor, at }, id, { cancel: true });
      if (isRefusal(cancelled)) return cancelled;
    }
    return ids;
  });

const applyChange = async (
  stores: ChangingStores,
  act: Act,
  id: string,
  change: DispatchChange,
): Promise<Result<Dispatch>> => {
  const before = await stores.dispatches.lock(id);
  if (before === null) return notFound("dispatch");
  const after = changed(before, change, act.at);
  if (isRefusal(after) || after === before) return after;
  await stores.dispatches.saveChange(after, act.actor);
  await tell(stores, after, act.at);
  if (after.voidReason !== null) await stores.late.baselinesChange(id, act.at);
  await stores.audit.append(
    act,
    actionOf(after),
    { id, accountId: null },
    { before: changeableOf(before), after: changeableOf(after) },
  );
  return after;
};

const actionOf = ({ authorized, voidReason }: Dispatch) => {
  if (authorized) return "dispatch.change";
  return voidReason === null ? "dispatch.cancel" : "dispatch.void";
};

/** Participants hear of changes to what they know; of a dispatch cancelled before its notification they never do (G16). */
const tell = async (stores: ChangingStores, dispatch: Dispatch, at: Date): Promise<void> => {
  const { id: dispatchId, modificationNumber } = dispatch;
  if (dispatch.notification <= at) {
    const { hasVens } = await stores.notices.add({
      dispatchId,
      event: "dispatch.update",
      modificationNumber,
      dueAt: at,
    });
    if (hasVens) await stores.venNotices.record(at);
  } else if (!dispatch.authorized) await stores.notices.drop(dispatchId);
};

/** The part of a dispatch that can change. */
const changeableOf = ({ start, end, authorized, modificationNumber, voidReason }: Dispatch) => ({
  start,
  end,
  authorized,
  modificationNumber,
  ...(voidReason === null ? {} : { voidReason }),
});
