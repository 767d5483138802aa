import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Ports } from "../../platform/ports.js";
import type { Result } from "../../platform/refusal.js";
import { type DeliveryHold, type DroppedCount, HOLD_ID } from "../domain/delivery-hold.js";

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

/** What is due and not sent. */
export interface Waiting {
  readonly waiting: number;
  /** Those about dispatches that are over, and old ends of alarms. */
  readonly outdated: number;
}

/** By which channels this service sends, beyond those that make their messages while delivery is held. */
export interface SendingChannels {
  /** Whether there is an MQTT broker. */
  readonly hasBroker: boolean;
}

interface DroppedDeliveries {
  /** Dispatches that something was about. */
  readonly dispatches: readonly string[];
  /** By channel; only what was dropped. */
  readonly counts: readonly DroppedCount[];
}

export interface HoldStore {
  /** null if delivery is not held. */
  find(): Promise<DeliveryHold | null>;
  count(hold: DeliveryHold, now: Date, channels: SendingChannels): Promise<Waiting>;
  /** Drops what is outdated; what is still due has its full time from now on. */
  dropOutdated(hold: DeliveryHold, now: Date, channels: SendingChannels): Promise<DroppedDeliveries>;
  /** Whether it was held. */
  release(): Promise<boolean>;
}

export interface HoldPorts extends Ports<Pick<AccessStores, "audit"> & { readonly hold: HoldStore }> {
  readonly sending: SendingChannels;
}
