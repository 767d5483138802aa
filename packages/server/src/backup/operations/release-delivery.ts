import type { Actor } from "../../access/domain/account.js";
import type { Result } from "../../platform/refusal.js";
import { type DeliveryHold, HOLD_ID } from "../domain/delivery-hold.js";
import type { HoldPorts, Waiting } from "./delivery-hold-ports.js";

export interface SeenHold extends Waiting {
  readonly hold: DeliveryHold | null;
}

const released: SeenHold = { hold: null, waiting: 0, outdated: 0 };

export const findHold = async ({ stores, clock, sending }: HoldPorts): Promise<SeenHold> => {
  const hold = await stores.hold.find();
  return hold === null ? released : { hold, ...(await stores.hold.count(hold, clock.now(), sending)) };
};

/** Lets everything that waits be sent, except for what is about dispatches that are over; that is dropped, and recorded. */
export const releaseDelivery = ({ transact, clock, sending }: HoldPorts, actor: Actor): Promise<Result<SeenHold>> =>
  transact(async ({ hold, audit }): Promise<Result<SeenHold>> => {
    const before = await hold.find();
    if (before === null || !(await hold.release())) return released;
    const at = clock.now();
    const { dispatches, counts } = await hold.dropOutdated(before, at, sending);
    await audit.append(
      { actor, at },
      "delivery_hold.release",
      { id: HOLD_ID, accountId: null },
      { before: { ...before, outdatedDispatches: dispatches, dropped: counts } },
    );
    return released;
  });
