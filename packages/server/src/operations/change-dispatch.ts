import type { Actor } from "../domain/account.js";
import { changed, type Dispatch, type DispatchChange } from "../domain/dispatch.js";
import { isRefusal, notFound, type Result } from "../domain/refusal.js";
import type { Ports, Stores } from "./ports.js";

/** Changes, ends or cancels a dispatch; a change that changes nothing leaves it as it is (G16). */
export const changeDispatch = ({ transact, clock }: Ports, actor: Actor, id: string, change: DispatchChange) =>
  transact(async (stores): Promise<Result<Dispatch>> => {
    const before = await stores.dispatches.lock(id);
    if (before === null) return notFound("dispatch");
    const at = clock.now();
    const after = changed(before, change, at);
    if (isRefusal(after) || after === before) return after;
    await stores.dispatches.saveChange(after, actor);
    await tell(stores, after, at);
    const action = after.authorized ? "dispatch.change" : "dispatch.cancel";
    await stores.audit.append(
      { actor, at },
      action,
      { id, accountId: null },
      { before: timesOf(before), after: timesOf(after) },
    );
    return after;
  });

/** Participants hear of changes to what they know; of a dispatch cancelled before its notification they never do (G16). */
const tell = async (stores: Stores, dispatch: Dispatch, at: Date): Promise<void> => {
  const { id: dispatchId, modificationNumber } = dispatch;
  if (dispatch.notification <= at)
    await stores.notices.add({ dispatchId, event: "dispatch.update", modificationNumber, dueAt: at });
  else if (!dispatch.authorized) await stores.notices.drop(dispatchId);
};

/** The part of a dispatch that can change. */
const timesOf = ({ start, end, authorized, modificationNumber }: Dispatch) => ({
  start,
  end,
  authorized,
  modificationNumber,
});
