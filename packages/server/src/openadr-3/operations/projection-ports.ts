import type { Environment } from "../../access/domain/api-key.js";
import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { DispatchNotice, ProjectedProgram, ProjectedSite, VenClient } from "../domain/projection.js";
import type { FoundObject, StoredObject } from "../domain/stored-object.js";

/** A dispatch, and what else its events need. */
export interface ProjectedDispatch {
  readonly dispatch: Dispatch;
  /** The signal level of OpenADR 2.0a that its program sets. */
  readonly signalLevel: 1 | 2 | null;
  /** Unique, and greater than that of every dispatch created earlier. */
  readonly priority: number;
  /** How long its event is at first while it has no end. */
  readonly openHours: number;
}

/** What objects follow. */
export interface ProjectionSources {
  /** One process at a time; until the end of the transaction. */
  takeTurn(): Promise<boolean>;
  /** Whether programs may have changed; they have not any more, unless the transaction is rolled back. */
  takePrograms(): Promise<boolean>;
  /** An account that may have changed; the same. null: there is none but these. */
  takeAccount(except: readonly string[]): Promise<string | null>;
  /** Dispatches without an end whose events have less left than half of the time that their program expects. */
  lapsingDispatches(now: Date): Promise<readonly string[]>;
  /** The dispatches of notices that are due and not followed yet, in the order of the notices. */
  dueDispatches(now: Date, except: readonly string[]): Promise<readonly string[]>;
  /** The notices of a dispatch that are due are followed. */
  markFollowed(dispatchId: string, now: Date): Promise<void>;
  /** In the order of their creation; without the built-in one. */
  programs(): Promise<readonly ProjectedProgram[]>;
  /** In the order of their creation. */
  sitesOf(accountId: string): Promise<readonly ProjectedSite[]>;
  /** With a ven; those of accounts that are disabled hear of nothing (G50). */
  clientsOf(environment: Environment, accountIds: readonly string[]): Promise<readonly VenClient[]>;
  /** With all its sites; null: there is none with this id. */
  dispatch(id: string): Promise<ProjectedDispatch | null>;
  /** Notified, not cancelled, and not over; with the sites of the account. */
  dispatchesOf(accountId: string, now: Date): Promise<readonly ProjectedDispatch[]>;
}

/** What an account plays in the sandbox. */
export interface Rehearsal {
  readonly accountId: string;
  readonly sites: readonly ProjectedSite[];
  /** Notified, including those that are over or cancelled since a short while. */
  readonly dispatches: readonly ProjectedDispatch[];
}

/** Scenarios of the sandbox, which events of its VENs follow. */
export interface RehearsalSources {
  /** Accounts with a state of a scenario that is due and not followed yet; a few at once. */
  dueAccounts(now: Date): Promise<readonly string[]>;
  rehearsalOf(accountId: string, now: Date): Promise<Rehearsal>;
  /** What was due for an account is followed. */
  markFollowed(accountId: string, now: Date): Promise<void>;
}

/** Objects with a source, many at once. */
export interface ProjectedObjects {
  programs(environment: Environment): Promise<readonly FoundObject[]>;
  /** Resources of the vens, their standing events, and events of dispatches that have not ended, or are among these. */
  ofVens(
    venIds: readonly string[],
    events: { readonly now: Date; readonly dispatchIds: readonly string[] },
  ): Promise<readonly FoundObject[]>;
  /** Resources of the vens. */
  resourcesOf(venIds: readonly string[]): Promise<readonly FoundObject[]>;
  eventsOf(environment: Environment, dispatchIds: readonly string[]): Promise<readonly FoundObject[]>;
  /** Names of programs, or of resources of these vens, that clients wrote. */
  takenPrograms(environment: Environment): Promise<ReadonlySet<string>>;
  takenResources(venIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** Throws if a name is taken, as does the next. */
  insertAll(objects: readonly StoredObject[]): Promise<void>;
  saveAll(objects: readonly StoredObject[]): Promise<void>;
}

export interface DispatchNotices {
  add(notices: readonly DispatchNotice[]): Promise<void>;
}
