import type { Actor } from "../domain/account.js";
import { changed, type Dispatch, type DispatchChange } from "../domain/dispatch.js";
import { isRefusal, notFound, type Result } from "../domain/refusal.js";
import type { Ports } from "./ports.js";

/** Changes, ends or cancels a dispatch; a change that changes nothing leaves it as it is (G16). */
export const changeDispatch = ({ transact, clock }: Ports, actor: Actor, id: string, change: DispatchChange) =>
  transact(async (stores): Promise<Result<Dispatch>> => {
    const before = await stores.dispatches.lock(id);
    if (before === null) return notFound("dispatch");
    const at = clock.now();
    const after = changed(before, change, at);
    if (isRefusal(after) || after === before) return after;
    await stores.dispatches.saveChange(after, actor);
    const action = after.authorized ? "dispatch.change" : "dispatch.cancel";
    await stores.audit.append(
      { actor, at },
      action,
      { id, accountId: null },
      { before: timesOf(before), after: timesOf(after) },
    );
    return after;
  });

/** The part of a dispatch that can change. */
const timesOf = ({ start, end, authorized, modificationNumber }: Dispatch) => ({
  start,
  end,
  authorized,
  modificationNumber,
});
