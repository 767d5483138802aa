import type { Cursor } from "../../platform/journal.js";
import type { BrokerClient, ListeningVen, PublishedChange } from "./publication.js";

/** What brokers are to be told. */
export interface Publications {
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

export interface BrokerClients {
  /** All clients that may connect, in the order of their creation. */
  standing(): Promise<readonly BrokerClient[]>;
}
