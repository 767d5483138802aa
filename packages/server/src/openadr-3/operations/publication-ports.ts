import type { BrokerClient, ListeningVen, PublishedChange } from "./publication.js";

/** What brokers are to be told. */
export interface Publications {
  /** The oldest changes that the outside broker was not told yet. */
  due(limit: number): Promise<readonly PublishedChange[]>;
  /** The broker has these changes, or never gets them. */
  settle(settled: Settled): Promise<void>;
  /** When the oldest change was made that the outside broker was not told yet; null: there is none. */
  waitingSince(): Promise<Date | null>;
  /** The greatest `seq` of all changes, and smaller ones near it that may still be committed. */
  newest(): Promise<{ readonly seq: number; readonly missing: readonly number[] }>;
  /** Changes after `seq`, and those of `missing` that were committed meanwhile; oldest first. */
  since(seq: number, missing: readonly number[], limit: number): Promise<readonly PublishedChange[]>;
  /** VENs that may see one of the changes, or more; disabled and revoked ones are not told anything. */
  vens(changes: readonly PublishedChange[]): Promise<readonly ListeningVen[]>;
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
