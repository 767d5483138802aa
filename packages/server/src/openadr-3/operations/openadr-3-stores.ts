import type { Environment } from "../../access/domain/api-key.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { ClientRecord, Openadr3Client } from "../domain/client.js";
import type { FoundObject } from "../domain/stored-object.js";
import type { ClientVolume } from "./client-volume.js";
import type { DispatchActStore } from "./dispatch-acts.js";
import type { ObjectChangeStore, ObjectCreations, ObjectStore } from "./object-ports.js";
import type { DispatchNotices, ProjectedObjects, ProjectionSources } from "./projection-ports.js";
import type { Callbacks } from "./queue-notifications.js";

/** Stores of the OpenADR 3 channel; those of objects take the environment as an argument. */
export interface Openadr3Stores {
  readonly openadr3Clients: Openadr3ClientStore;
  readonly openadr3Objects: ObjectStore;
  readonly openadr3Creations: ObjectCreations;
  readonly openadr3Volume: ClientVolume;
  readonly openadr3Own: OwnObjectStore;
  readonly openadr3Subscriptions: SubscriptionStates;
  readonly openadr3Changes: ObjectChangeStore;
  readonly openadr3Sources: ProjectionSources;
  readonly openadr3Projected: ProjectedObjects;
  readonly openadr3Notices: DispatchNotices;
  readonly openadr3Acts: DispatchActStore;
  readonly openadr3Callbacks: Callbacks;
}

export interface Openadr3ClientStore {
  /** `secretHash`: null for a client of an outside issuer. false if that issuer's name for it is taken. */
  insert(client: Openadr3Client, secretHash: Buffer | null): Promise<boolean>;
  find(id: string): Promise<Openadr3Client | null>;
  lock(id: string): Promise<Openadr3Client | null>;
  save(client: Openadr3Client): Promise<void>;
  /** The current secret becomes the previous one. */
  rotate(client: Openadr3Client, secretHash: Buffer): Promise<void>;
  /** Of an account; null: business logic. */
  list(accountId: string | null, page: PageRequest): Promise<Page<Openadr3Client>>;
  /** Those that are not revoked; of an account, or business logic. */
  countStanding(accountId: string | null): Promise<number>;
  record(id: string): Promise<ClientRecord | null>;
  recordByExternalId(externalId: string): Promise<ClientRecord | null>;
  touch(ids: readonly string[], now: Date): Promise<void>;
}

/** A program of the operator's own, with the number of its events that are not over. */
interface OwnProgramObject {
  readonly object: FoundObject;
  readonly eventCount: number;
}

/** Events of an environment that meet every condition; null: any. */
export interface OwnEventFilter {
  readonly environment: Environment;
  readonly programId: string | null;
  readonly isOver: boolean | null;
  readonly now: Date;
}

/** Programs and events that follow nothing of the service: the operator or business logic wrote them. */
export interface OwnObjectStore {
  find(type: "PROGRAM" | "EVENT", id: string): Promise<FoundObject | null>;
  /** Programs by their ids. */
  programs(ids: readonly string[]): Promise<ReadonlyMap<string, FoundObject>>;
  countEvents(programId: string, now: Date): Promise<number>;
  listPrograms(environment: Environment, now: Date, page: PageRequest): Promise<Page<OwnProgramObject>>;
  /** Newest first. */
  listEvents(filter: OwnEventFilter, page: PageRequest): Promise<Page<FoundObject>>;
  /** Events of a program that are not over. */
  standing(programId: string, now: Date): Promise<readonly FoundObject[]>;
  /** Those of the ids that no account has, or no site. */
  unknown(kind: "accounts" | "sites", ids: readonly string[]): Promise<readonly string[]>;
}

/** A subscription, and how its last notification went. */
export interface SubscriptionState {
  readonly id: string;
  readonly clientId: string;
  readonly name: string | null;
  readonly callbackUrls: readonly string[];
  readonly pendingCount: number;
  /** null: there was none. */
  readonly lastAttempt: {
    readonly at: Date;
    readonly status: number | null;
    readonly error: string | null;
  } | null;
}

export interface SubscriptionStates {
  /** In the order of creation. */
  ofClients(clientIds: readonly string[]): Promise<readonly SubscriptionState[]>;
}
