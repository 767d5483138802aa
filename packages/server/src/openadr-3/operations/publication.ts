import {
  type ChangedObject,
  maySee,
  notificationBody,
  type Scope,
  type TopicPlace,
  toldTargets,
  topicsOfChange,
  type VenGrants,
} from "@curtail/openadr-3";
import type { Environment } from "../../access/domain/api-key.js";
import type { Cursor } from "../../platform/journal.js";

/** What brokers are to receive. */
export interface Publications {
  /**
   * Changes that were committed since, oldest first.
   *
   * @param cursor null: from now on
   */
  since(cursor: Cursor | null, limit: number): Promise<ChangesSince>;
  /** VENs that may see one of the changes, or more; disabled and revoked ones receive nothing. */
  vens(changes: readonly PublishedChange[]): Promise<readonly ListeningVen[]>;
}

interface ChangesSince {
  readonly changes: readonly PublishedChange[];
  /** To be read from next. */
  readonly cursor: Cursor;
  readonly hasMore: boolean;
}

export interface BrokerClients {
  /** All clients that may connect, in the order of their creation. */
  standing(): Promise<readonly BrokerClient[]>;
}

/** A change as brokers receive it. */
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
export interface BrokerMessage {
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
  /** Tokens and passwords from before are no longer accepted. */
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

/** The messages of a change: for business logic, and for each VEN that may see it. */
export const messagesOf = (change: PublishedChange, vens: readonly ListeningVen[]): BrokerMessage[] => {
  const seeing = vens.filter((ven) => ven.environment === change.environment && maySee(change, ven));
  const byClient = new Map(seeing.map((ven) => [ven.clientId, ven]));
  const recipients = seeing.map(({ clientId, grants: { venId } }) => ({ clientId, venId }));
  return topicsOfChange(change, recipients, change.environment).flatMap(({ venClientId, topics }) => {
    if (topics.length === 0) return [];
    const grants = venClientId === null ? null : (byClient.get(venClientId)?.grants ?? null);
    const targets = toldTargets(change, { clientId: venClientId ?? "", grants }, undefined);
    const body = notificationBody({ ...change, targets });
    return topics.map((topic) => ({ topic, body }));
  });
};
