import Type from "typebox";
import { metadata } from "./metadata.js";
import { ClientId, ObjectId, ResourceName, Targets } from "./values.js";
import { Attributes } from "./values-map.js";

/** The specification requires `clientID`, though it can only be that of the ven. */
export const BlResourceRequest = Type.Object({
  objectType: Type.Literal("BL_RESOURCE_REQUEST"),
  clientID: Type.Optional(ClientId),
  resourceName: ResourceName,
  venID: ObjectId,
  targets: Type.Optional(Targets),
  attributes: Type.Optional(Attributes),
});
export type BlResourceRequest = Type.Static<typeof BlResourceRequest>;

/**
 * Without targets: only business logic grants them. The specification requires `venID`, though a VEN has no more than one
 * ven.
 */
export const VenResourceRequest = Type.Object({
  objectType: Type.Literal("VEN_RESOURCE_REQUEST"),
  resourceName: ResourceName,
  venID: Type.Optional(ObjectId),
  attributes: Type.Optional(Attributes),
});
export type VenResourceRequest = Type.Static<typeof VenResourceRequest>;

export const ResourceRequest = Type.Union([VenResourceRequest, BlResourceRequest]);
export type ResourceRequest = Type.Static<typeof ResourceRequest>;

const { objectType: _, ...members } = BlResourceRequest.properties;
export const Resource = Type.Object({ ...members, ...metadata("RESOURCE").properties, clientID: ClientId });
export type Resource = Type.Static<typeof Resource>;
