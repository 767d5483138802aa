import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Ports } from "../../platform/ports.js";
import type { DeliveryHold, DroppedCount } from "../domain/delivery-hold.js";

/** What is due and not sent. */
export interface Waiting {
  readonly waiting: number;
  /** Those about dispatches that are over, and old ends of alarms. */
  readonly outdated: number;
}

/** By which channels this service sends, beyond those that make their messages while delivery is held. */
export interface SendingChannels {
  /** Whether there is an MQTT broker, and whether it is an outside one. */
  readonly broker: "outside" | "embedded" | null;
}

export interface DroppedDeliveries {
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
