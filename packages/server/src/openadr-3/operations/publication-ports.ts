import type { Cursor } from "../../platform/journal.js";
import type { BrokerClient, ListeningVen, PublishedChange } from "./publication.js";

/** What brokers are to be told. */
export interface Publications {
  /** The oldest changes that the outside broker was not told yet. */
  due(limit: number): Promise<readonly PublishedChange[]>;
  /** The broker has these changes, or never gets them. */
  settle(settled: Settled): Promise<void>;
  /** When the oldest change was made that the outside broker was not told yet; null: there is none. */
  waitingSince(): Promise<Date | null>;
  /**
   * Changes that were committed since, oldest first.
   *
   * @param cursor null: from now on
   */
  since(cursor: Cursor | null, limit: number): Promise<ChangesSince>;
  /** VENs that may see one of the changes, or more; disabled and revoked ones are not told anything. */
  vens(changes: readonly PublishedChange[]): Promise<readonly ListeningVen[]>;
}

export interface ChangesSince {
  readonly changes: readonly PublishedChange[];
  /** To be read from next. */
  readonly cursor: Cursor;
  readonly hasMore: boolean;
}

export interface Settled {
  readonly published: readonly number[];
  /** Never published. */
  readonly skipped: readonly number[];
  readonly at: Date;
}

/** One process publishes to the outside broker. */
export interface PublisherLock {
  /** Takes the lock if it is free. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

export interface BrokerClients {
  /** All clients that may connect, in the order of their creation. */
  standing(): Promise<readonly BrokerClient[]>;
}
