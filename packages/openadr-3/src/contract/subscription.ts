import Type from "typebox";
import { metadata } from "./metadata.js";
import { ClientId, ClientName, ObjectId, ObjectTypes, operations, Targets, Uri } from "./values.js";

/** Which operations on which objects an address is notified of. */
export const ObjectOperation = Type.Object({
  objects: Type.Array(ObjectTypes),
  operations: Type.Array(Type.Enum([...operations])),
  callbackUrl: Uri,
  bearerToken: Type.Optional(Type.String({ maxLength: 4096, description: "Sent to the address with each call." })),
});
export type ObjectOperation = Type.Static<typeof ObjectOperation>;

export const SubscriptionRequest = Type.Object({
  clientName: ClientName,
  programID: Type.Optional(ObjectId),
  objectOperations: Type.Array(ObjectOperation),
  targets: Type.Optional(Targets),
});
export type SubscriptionRequest = Type.Static<typeof SubscriptionRequest>;

export const Subscription = Type.Object({
  ...SubscriptionRequest.properties,
  ...metadata("SUBSCRIPTION").properties,
  clientID: ClientId,
});
export type Subscription = Type.Static<typeof Subscription>;
