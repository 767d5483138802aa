import type { VenGrants } from "@curtail/openadr-3";
import type { Environment } from "../../access/domain/api-key.js";
import type {
  FoundObject,
  ObjectChange,
  ObjectSource,
  StoredObject,
  StoredObjectType,
} from "../domain/stored-object.js";

/** Objects of a type and environment that meet every condition. */
export interface ObjectSearch {
  readonly environment: Environment;
  readonly objectType: StoredObjectType;
  /** The owner. */
  readonly clientId?: string | undefined;
  /** A VEN's view of programs and events: not those that are for another ven. */
  readonly seenBy?: VenGrants | undefined;
  /** At least one of these is a target; null: any object. */
  readonly targets: readonly string[] | null;
  /** Objects without targets match, too. */
  readonly withUntargeted: boolean;
  readonly programId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly venId?: string | undefined;
  readonly name?: string | undefined;
  /** Subscriptions to at least one of these types. */
  readonly objects?: readonly string[] | undefined;
  /** Only events that have not ended by then. */
  readonly activeAt?: Date | undefined;
  readonly skip: number;
  readonly limit: number;
}

export interface ObjectStore {
  /** false if its name, client or source belongs to another object of its type. */
  insert(object: StoredObject): Promise<boolean>;
  /** The same; the transaction can only be rolled back after false. */
  save(object: StoredObject): Promise<boolean>;
  find(environment: Environment, type: StoredObjectType, id: string): Promise<FoundObject | null>;
  /** Until the end of the transaction nobody changes or deletes it. */
  lock(environment: Environment, type: StoredObjectType, id: string): Promise<FoundObject | null>;
  /** Until the end of the transaction nobody deletes it. */
  lockReference(environment: Environment, type: StoredObjectType, id: string): Promise<FoundObject | null>;
  /** A ven; until the end of the transaction nobody changes or deletes it. */
  lockVen(environment: Environment, id: string): Promise<FoundObject | null>;
  ofSource(environment: Environment, type: StoredObjectType, source: ObjectSource): Promise<readonly FoundObject[]>;
  /** The vens of these clients, by the ids of the clients. */
  vensOfClients(clientIds: readonly string[]): Promise<ReadonlyMap<string, FoundObject>>;
  /** Events of a program without targets of their own that have not ended by then. */
  untargetedEvents(programId: string, now: Date): Promise<readonly FoundObject[]>;
  /** In the order of creation. */
  search(search: ObjectSearch): Promise<readonly FoundObject[]>;
  /** Deletes them with all that refers to them; returns all of it, the dependent ones first. */
  remove(ids: readonly string[]): Promise<readonly FoundObject[]>;
  grantsOf(environment: Environment, clientId: string): Promise<VenGrants>;
}

/** An event or report to create, which refers to one object. */
export interface Creation {
  readonly object: StoredObject;
  /** Its body as JSON. */
  readonly bodyJson: string;
  /** The client. */
  readonly writtenBy: string;
}

/** What was created, with what the reports of its owner take in all, and the changes of the client that wrote it. */
export interface Created {
  readonly object: FoundObject;
  readonly reportBytes: number;
  readonly changeBytes: number;
}

export interface ObjectCreations {
  /**
   * Stores events and reports with their changes, in the given order and in one statement. null for those whose program or
   * event is not there.
   */
  create(creations: readonly Creation[]): Promise<ReadonlyArray<Created | null>>;
}

export interface ObjectChangeStore {
  /** Returns their places in the outbox, in the given order, which is that of the places. */
  append(changes: readonly ObjectChange[]): Promise<readonly number[]>;
}
