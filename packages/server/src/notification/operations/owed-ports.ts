import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { Account, Overdue, OverdueMail, OwedNotice } from "../domain/owed-notice.js";

/** A dispatch with its notices that are due and that somebody may still be owed, in their order. */
export interface OwedDispatch extends Pick<Dispatch, "id" | "authorized" | "end" | "changedAt"> {
  readonly notices: readonly UnseenNotice[];
}

export type UnseenNotice = Omit<OwedNotice, "since"> & {
  readonly dueAt: Date;
  /** null: nobody looked yet. */
  readonly since: Date | null;
};

/** What became of a look at a dispatch. */
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
  /** Whether nobody else looks; kept until the end of the transaction. */
  takeTurn(): Promise<boolean>;
  /** The dispatch that has waited longest for a look; null when none is due for one. */
  next(now: Date): Promise<OwedDispatch | null>;
  /** Accounts that some notice has not reached, without disabled ones. */
  unreached(dispatch: OwedDispatch): Promise<readonly Account[]>;
  /** The same, of those that nothing of ours can bring one of the notices. */
  withoutChannel(dispatch: OwedDispatch): Promise<readonly Account[]>;
  /** Mails them, and notes that their time has passed. */
  mail(dispatchId: string, overdue: readonly Overdue[], at: Date): Promise<void>;
  saveLook(look: Look): Promise<void>;
  /** Mails to accounts whose time has passed, and that nobody took care of yet. */
  unsettled(): Promise<readonly OverdueMail[]>;
  /** The newest modification that reached each account of these dispatches, by any channel. */
  reached(dispatchIds: readonly string[]): Promise<readonly ReachedAccount[]>;
  settle(mailIds: readonly string[], at: Date): Promise<void>;
}
