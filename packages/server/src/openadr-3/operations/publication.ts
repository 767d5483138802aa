import type { ChangedObject, Scope, TopicPlace, VenGrants } from "@curtail/openadr-3";
import type { Environment } from "../../access/domain/api-key.js";

/** A change as brokers are to be told it. */
export interface PublishedChange extends ChangedObject {
  /** Of one object, a later change has a greater one. */
  readonly seq: number;
  readonly environment: Environment;
  readonly object: object;
  readonly at: Date;
}

/** A VEN that changes may be published for. */
export interface ListeningVen {
  readonly environment: Environment;
  readonly clientId: string;
  readonly grants: VenGrants & { readonly venId: string };
}

/** A message for a broker. */
export interface Message {
  readonly topic: string;
  /** JSON. */
  readonly body: string;
}

/** A client that may connect to a broker: neither it nor its account is revoked or disabled. */
export interface BrokerClient {
  readonly id: string;
  readonly role: "bl" | "ven";
  readonly environment: Environment;
  readonly scopes: readonly Scope[];
  /** What it had before is not accepted any more. */
  readonly tokensFrom: Date;
}

/** Whose topics are a client's. */
export const placeOf = ({ id, role, environment }: Pick<BrokerClient, "id" | "role" | "environment">): TopicPlace => ({
  environment,
  venClientId: role === "bl" ? null : id,
});

/** After this, a VEN has long read the state of things over REST. */
const PUBLISHED_MS = 7 * 24 * 3_600_000;

/** Whether a change is too old to be published. */
export const isStale = ({ at }: Pick<PublishedChange, "at">, now: Date): boolean =>
  now.getTime() - at.getTime() > PUBLISHED_MS;
