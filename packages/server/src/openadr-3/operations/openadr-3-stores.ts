import type { Openadr3ClientStore } from "./client-ports.js";
import type { ClientVolume } from "./client-volume.js";
import type { DispatchActStore } from "./dispatch-acts.js";
import type { ObjectChangeStore, ObjectStore } from "./object-ports.js";
import type { OwnObjectStore } from "./own-object-ports.js";
import type { DispatchNotices, ProjectedObjects, ProjectionSources } from "./projection-ports.js";
import type { Callbacks } from "./queue-notifications.js";
import type { SubscriptionStates } from "./subscription-states.js";

/** Stores of the OpenADR 3 channel; those of objects take the environment as an argument. */
export interface Openadr3Stores {
  readonly openadr3Clients: Openadr3ClientStore;
  readonly openadr3Objects: ObjectStore;
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
