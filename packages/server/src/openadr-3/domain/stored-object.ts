import type { Environment } from "../../access/domain/api-key.js";

export type StoredObjectType = "PROGRAM" | "EVENT" | "REPORT" | "SUBSCRIPTION" | "VEN" | "RESOURCE";

/** What an object is made from and follows. */
export interface ObjectSource {
  readonly kind: "program" | "dispatch" | "client" | "site";
  readonly id: string;
}

/** An object as stored; `body` has the request's members, the others are what searches need of them. */
export interface StoredObject {
  readonly id: string;
  readonly environment: Environment;
  readonly objectType: StoredObjectType;
  /** Owner of a report, subscription, ven or resource; null for programs and events. */
  readonly clientId: string | null;
  readonly programId: string | null;
  readonly eventId: string | null;
  /** The ven of a resource; of an event: the only ven that it is for, or null. */
  readonly venId: string | null;
  readonly name: string | null;
  readonly targets: readonly string[];
  /** When the last interval of an event ends; null: never. */
  readonly transpiresAt: Date | null;
  /** Without `objectType`, `clientID` and bearer tokens. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Of a subscription: one for each entry of `objectOperations`. */
  readonly bearerTokens: ReadonlyArray<string | null> | null;
  /** null: written by a client. */
  readonly source: ObjectSource | null;
  /** When a client took over the ven that was made with it; null: not yet, or there is nothing to take over. */
  readonly registeredAt: Date | null;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

/** Members that are null unless an object has them. */
export const BARE_OBJECT = {
  clientId: null,
  programId: null,
  eventId: null,
  venId: null,
  transpiresAt: null,
  bearerTokens: null,
  source: null,
  registeredAt: null,
} as const satisfies Partial<StoredObject>;

/** A stored object with who may see it. */
export interface FoundObject extends StoredObject {
  /** Its targets; those of its program for an event without any. */
  readonly audience: readonly string[];
}

/** What was done to an object, as webhooks and MQTT name it. */
export interface ObjectChange {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  /** After the change, or before the deletion. */
  readonly object: FoundObject;
  /** As subscribers receive it. */
  readonly told: object;
  /** The client that wrote it; null: it followed its source. */
  readonly writtenBy: string | null;
  /** Of what is gone for some: who sees one of these targets has it still. */
  readonly keptTargets?: readonly string[];
  /** The ven that a resource was of before. */
  readonly movedFrom?: string | undefined;
  readonly at: Date;
}

/** The beginning of the ids of each type. */
export const OBJECT_PREFIXES: Readonly<Record<StoredObjectType, string>> = {
  PROGRAM: "oap",
  EVENT: "oae",
  REPORT: "oar",
  SUBSCRIPTION: "oas",
  VEN: "oav",
  RESOURCE: "oao",
};

declare module "../../platform/journal.js" {
  interface JournalKinds {
    /** Objects other than reports, which come as often as telemetry; `ref` is the last of their changes. About a ven: it has a resource less. */
    object: "openadr3.objects";
    /** Old events were deleted. */
    prune: "openadr3.prune";
    /** Any object. Never in the journal: changes are a stream of their own. */
    change: "openadr3.change";
    /** Settings that objects show may have changed; the event of a dispatch without an end is to be prolonged. */
    projection: "openadr3.settings" | "openadr3.lapsing";
  }
}
