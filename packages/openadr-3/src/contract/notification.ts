import Type from "typebox";
import { Event } from "./event.js";
import { Program } from "./program.js";
import { Report } from "./report.js";
import { Resource } from "./resource.js";
import { Subscription } from "./subscription.js";
import { ObjectTypes, operations, Targets } from "./values.js";
import { Ven } from "./ven.js";

export const AnyObject = Type.Union([Program, Event, Report, Subscription, Ven, Resource]);
export type AnyObject = Type.Static<typeof AnyObject>;

/** What a subscriber receives. */
export const Notification = Type.Object({
  objectType: ObjectTypes,
  operation: Type.Enum([...operations]),
  object: AnyObject,
  targets: Type.Optional(Targets),
});
export type Notification = Type.Static<typeof Notification>;
