import Type from "typebox";
import { metadata } from "./metadata.js";
import { ClientId, ObjectId, ResourceName, Targets } from "./values.js";
import { Attributes } from "./values-map.js";

export const BlResourceRequest = Type.Object({
  objectType: Type.Literal("BL_RESOURCE_REQUEST"),
  clientID: ClientId,
  resourceName: ResourceName,
  venID: ObjectId,
  targets: Type.Optional(Targets),
  attributes: Type.Optional(Attributes),
});
export type BlResourceRequest = Type.Static<typeof BlResourceRequest>;

/** Without targets: only business logic grants them. */
export const VenResourceRequest = Type.Object({
  objectType: Type.Literal("VEN_RESOURCE_REQUEST"),
  resourceName: ResourceName,
  venID: ObjectId,
  attributes: Type.Optional(Attributes),
});
export type VenResourceRequest = Type.Static<typeof VenResourceRequest>;

export const ResourceRequest = Type.Union([VenResourceRequest, BlResourceRequest]);
export type ResourceRequest = Type.Static<typeof ResourceRequest>;

const { objectType: _, ...members } = BlResourceRequest.properties;
export const Resource = Type.Object({ ...members, ...metadata("RESOURCE").properties });
export type Resource = Type.Static<typeof Resource>;
