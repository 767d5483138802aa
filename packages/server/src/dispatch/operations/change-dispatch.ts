import type { Actor } from "../../access/domain/account.js";
import type { AccessStores, Act } from "../../access/operations/access-stores.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal, notFound, type Result } from "../../platform/refusal.js";
import { changed, type Dispatch, type DispatchChange } from "../domain/dispatch.js";
import { changingMembers } from "../domain/dispatch-members.js";
import { changeEventDays } from "./change-event-days.js";
import type { DispatchStores } from "./dispatch-stores.js";
import { findOverlaps, NO_OVERLAPS, type SiteOverlaps } from "./find-overlaps.js";

export type ChangingStores = DispatchStores & Pick<AccessStores, "accounts" | "audit">;

export interface ChangedDispatch {
  readonly dispatch: Dispatch;
  readonly overlaps: SiteOverlaps;
}

/** Changes, ends, cancels or voids a dispatch; a change without effect is neither recorded nor sent (G16). */
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

/** Cancels all unfinished tests of an account; returns their ids. */
export const cancelTests = ({ transact, clock }: Ports<ChangingStores>, actor: Actor, accountId: string) =>
  transact(async (stores): Promise<Result<readonly string[]>> => {
    // Waits for a concurrent creation, which is then included.
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
  const states = { before: changeableOf(before), after: changeableOf(after) };
  await Promise.all([
    stores.dispatches.saveChange(after, act.actor),
    tell(stores, after, act.at),
    changeEventDays(stores, id, [before.start, after.start], act.at),
    stores.audit.append(act, actionOf(after), { id, accountId: null }, states),
  ]);
  return after;
};

const actionOf = ({ authorized, voidReason }: Dispatch) => {
  if (authorized) return "dispatch.change";
  return voidReason === null ? "dispatch.cancel" : "dispatch.void";
};

/**
 * Participants are notified of changes to dispatches they know; never of one cancelled before its notification (G16).
 */
const tell = async (stores: ChangingStores, dispatch: Dispatch, at: Date): Promise<void> => {
  // Nobody was notified of it, so nobody needs to learn that it is void (G61).
  if (dispatch.isRecord) return;
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

const audited = changingMembers.filter((name) => name !== "changedAt");

/** What can change, for the audit log. */
const changeableOf = (dispatch: Dispatch) => {
  const states = audited.map((name) => [name, dispatch[name]] as const);
  const { voidReason, ...state } = Object.fromEntries(states) as Pick<Dispatch, (typeof audited)[number]>;
  return voidReason === null ? state : { ...state, voidReason };
};
