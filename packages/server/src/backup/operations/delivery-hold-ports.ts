import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Ports } from "../../platform/ports.js";
import type { DeliveryHold } from "../domain/delivery-hold.js";

/** What is due and not sent. */
export interface Waiting {
  readonly waiting: number;
  /** Of dispatches that are over. */
  readonly outdated: number;
}

export interface HoldStore {
  /** null if delivery is not held. */
  find(): Promise<DeliveryHold | null>;
  count(now: Date): Promise<Waiting>;
  /** Drops what is outdated; returns the dispatches that it was about. */
  dropOutdated(now: Date): Promise<readonly string[]>;
  /** Whether it was held. */
  release(): Promise<boolean>;
}

export type HoldPorts = Ports<Pick<AccessStores, "audit"> & { readonly hold: HoldStore }>;
