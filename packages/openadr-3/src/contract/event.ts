import Type from "typebox";
import { Interval, IntervalPeriod } from "./interval.js";
import { metadata } from "./metadata.js";
import { EventDescriptor, ReportDescriptor } from "./payload-descriptor.js";
import { Duration, ObjectId, Targets } from "./values.js";

export const EventRequest = Type.Object({
  programID: ObjectId,
  eventName: Type.Optional(Type.String({ maxLength: 1000, description: "Name for people." })),
  duration: Type.Optional(Duration),
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "0 is highest." })),
  targets: Type.Optional(Targets),
  reportDescriptors: Type.Optional(Type.Array(ReportDescriptor)),
  payloadDescriptors: Type.Optional(Type.Array(EventDescriptor)),
  intervalPeriod: Type.Optional(IntervalPeriod),
  intervals: Type.Optional(Type.Array(Interval)),
});
export type EventRequest = Type.Static<typeof EventRequest>;

export const Event = Type.Object({ ...EventRequest.properties, ...metadata("EVENT").properties });
export type Event = Type.Static<typeof Event>;
