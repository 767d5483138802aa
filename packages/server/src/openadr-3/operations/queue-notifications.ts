import { type ChangedObject, notifiedBy, type SubscriptionRequest, type VenGrants } from "@curtail/openadr-3";

/** The cursor of what has its notifications. */
export const CALLBACKS = "openadr3-callbacks";

/** What subscriptions are to receive of changes. */
export interface Callbacks {
  /** Makes the notifications of changes, once each, in the order of the changes. */
  ofChanges(seqs: readonly number[], at: Date): Promise<void>;
}

/** A subscription that may be notified of a change. */
export interface Candidate {
  readonly change: ChangedObject;
  readonly changeSeq: number;
  readonly subscriptionId: string;
  readonly clientId: string;
  /** null: business logic. */
  readonly grants: VenGrants | null;
  readonly filter: Pick<SubscriptionRequest, "programID" | "objectOperations" | "targets">;
}

/** A notification to write. */
export interface NewNotification {
  readonly changeSeq: number;
  readonly subscriptionId: string;
  readonly clientId: string;
  /** Index in `objectOperations`. */
  readonly entry: number;
  readonly objectId: string;
  readonly url: string;
  readonly targets: readonly string[] | null;
}

/** The notifications of changes, in the order of the changes. */
export const notificationsOf = (candidates: readonly Candidate[]): NewNotification[] =>
  candidates
    .toSorted((a, b) => a.changeSeq - b.changeSeq)
    .flatMap(({ change, changeSeq, subscriptionId, clientId, grants, filter }) => {
      const notified = notifiedBy(change, { clientId, grants }, filter);
      if (notified === null) return [];
      const { entries, targets } = notified;
      return entries.map((entry) => ({
        changeSeq,
        subscriptionId,
        clientId,
        entry,
        objectId: change.objectId,
        url: filter.objectOperations[entry]?.callbackUrl ?? "",
        targets,
      }));
    });
