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
  /** Accounts with VENs that are these, or have these sites, meters and clients, or resources that were made from them. */
  accountsOf(ids: readonly string[]): Promise<readonly string[]>;
  accountsWithVens(): Promise<readonly string[]>;
  /** Of production. */
  dispatchesWithEvents(): Promise<readonly string[]>;
  /** In the order of their creation; without the built-in one. */
  programs(): Promise<readonly ProjectedProgram[]>;
  /** In the order of their creation. */
  sitesOf(accountId: string): Promise<readonly ProjectedSite[]>;
  /** With a ven; those of disabled accounts are notified of nothing (G50). */
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
  rehearsalOf(accountId: string, now: Date): Promise<Rehearsal>;
}

/** Objects with a source, many at once. */
export interface ProjectedObjects {
  programs(environment: Environment): Promise<readonly FoundObject[]>;
  /** Resources of the vens, their standing events, and events of dispatches that have not ended, or are among these. */
  ofVens(
    venIds: readonly string[],
    events: { readonly now: Date; readonly dispatchIds: readonly string[] },
  ): Promise<readonly FoundObject[]>;
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
