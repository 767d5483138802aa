import type { AccountStores } from "../../access/operations/manage-accounts.js";
import type { IssuingStores } from "../../dispatch/operations/create-dispatch.js";
import type { Ports } from "../../platform/ports.js";
import type { Demo, DemoSize } from "../domain/demo.js";

export interface DemoStore {
  find(): Promise<Demo | null>;
  /** Locks the row until the end of the transaction. */
  lock(): Promise<Demo | null>;
  /** Waits until no account is being added, and lets none be until the end of the transaction. */
  awaitAccounts(): Promise<void>;
  insert(demo: Demo): Promise<void>;
  save(demo: Demo): Promise<void>;
  size(): Promise<DemoSize>;
}

export type DemoStores = AccountStores & IssuingStores & { readonly demo: DemoStore };

/** A demo with its size, as an operator sees it; null: there is none. */
export interface SeenDemo {
  readonly demo: Demo | null;
  readonly size: DemoSize;
}

export type DemoPorts = Ports<DemoStores>;
