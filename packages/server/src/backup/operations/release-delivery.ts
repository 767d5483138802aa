import type { Actor } from "../../access/domain/account.js";
import type { Result } from "../../platform/refusal.js";
import { type DeliveryHold, HOLD_ID } from "../domain/delivery-hold.js";
import type { HoldPorts, Waiting } from "./delivery-hold-ports.js";

export interface SeenHold extends Waiting {
  readonly hold: DeliveryHold | null;
}

const released: SeenHold = { hold: null, waiting: 0, outdated: 0 };

export const findHold = async ({ stores, clock }: HoldPorts): Promise<SeenHold> => {
  const hold = await stores.hold.find();
  return hold === null ? released : { hold, ...(await stores.hold.count(clock.now())) };
};

/** Lets everything that waits be sent, except for notices of dispatches that are over; those are dropped, and recorded. */
export const releaseDelivery = ({ transact, clock }: HoldPorts, actor: Actor): Promise<Result<SeenHold>> =>
  transact(async ({ hold, audit }): Promise<Result<SeenHold>> => {
    const before = await hold.find();
    if (before === null || !(await hold.release())) return released;
    const at = clock.now();
    const outdatedDispatches = await hold.dropOutdated(at);
    await audit.append(
      { actor, at },
      "delivery_hold.release",
      { id: HOLD_ID, accountId: null },
      {
        before: { ...before, outdatedDispatches },
      },
    );
    return released;
  });
