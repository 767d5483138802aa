import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { Account, Overdue, OverdueMail, OwedNotice } from "../domain/owed-notice.js";

/** A dispatch with its due notices that may still be owed to an account, in order. */
export interface OwedDispatch extends Pick<Dispatch, "id" | "authorized" | "end" | "changedAt"> {
  readonly notices: readonly UnseenNotice[];
}

export type UnseenNotice = Omit<OwedNotice, "since"> & {
  readonly dueAt: Date;
  /** null: not checked yet. */
  readonly since: Date | null;
};

/** The result of checking a dispatch. */
export interface Look {
  readonly dispatchId: string;
  readonly notices: readonly OwedNotice[];
  /** null: no account is owed a notice. */
  readonly nextAt: Date | null;
}

export interface ReachedAccount {
  readonly dispatchId: string;
  readonly accountId: string;
  readonly modificationNumber: number;
}

export interface OwedStore {
  /** Whether no other process is checking; holds until the end of the transaction. */
  takeTurn(): Promise<boolean>;
  /** The dispatch that has waited longest for a check; null if none is due. */
  next(now: Date): Promise<OwedDispatch | null>;
  /** Accounts that a notice has not reached, without disabled ones. */
  unreached(dispatch: OwedDispatch, now: Date): Promise<readonly Account[]>;
  /** The same, limited to accounts that none of our channels can reach. */
  withoutChannel(dispatch: OwedDispatch, now: Date): Promise<readonly Account[]>;
  /** Queues mails for them, and records that they missed the deadline. */
  mail(dispatchId: string, overdue: readonly Overdue[], at: Date): Promise<void>;
  saveLook(look: Look): Promise<void>;
  /** Unsettled mails of accounts that missed the deadline. */
  unsettled(): Promise<readonly OverdueMail[]>;
  /** The newest modification that reached each account of these dispatches, or one account, by any channel. */
  reached(dispatchIds: readonly string[], accountId?: string): Promise<readonly ReachedAccount[]>;
  settle(mailIds: readonly string[], at: Date): Promise<void>;
}
