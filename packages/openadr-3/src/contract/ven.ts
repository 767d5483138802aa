import Type from "typebox";
import { metadata } from "./metadata.js";
import { ClientId, Targets, VenName } from "./values.js";
import { Attributes } from "./values-map.js";

export const BlVenRequest = Type.Object({
  objectType: Type.Literal("BL_VEN_REQUEST"),
  clientID: ClientId,
  venName: VenName,
  targets: Type.Optional(Targets),
  attributes: Type.Optional(Attributes),
});
export type BlVenRequest = Type.Static<typeof BlVenRequest>;

/** Without targets: only business logic grants them. */
export const VenVenRequest = Type.Object({
  objectType: Type.Literal("VEN_VEN_REQUEST"),
  venName: VenName,
  attributes: Type.Optional(Attributes),
});
export type VenVenRequest = Type.Static<typeof VenVenRequest>;

export const VenRequest = Type.Union([VenVenRequest, BlVenRequest]);
export type VenRequest = Type.Static<typeof VenRequest>;

const { objectType: _, ...members } = BlVenRequest.properties;
export const Ven = Type.Object({ ...members, ...metadata("VEN").properties });
export type Ven = Type.Static<typeof Ven>;
