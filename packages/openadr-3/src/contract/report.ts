import Type from "typebox";
import { Interval, IntervalPeriod } from "./interval.js";
import { metadata } from "./metadata.js";
import { ReportedDescriptor } from "./payload-descriptor.js";
import { ClientId, ClientName, ObjectId, ResourceName } from "./values.js";

/** What was measured at one resource. */
export const ReportResource = Type.Object({
  resourceName: ResourceName,
  intervalPeriod: Type.Optional(IntervalPeriod),
  intervals: Type.Array(Interval),
});
export type ReportResource = Type.Static<typeof ReportResource>;

export const ReportRequest = Type.Object({
  eventID: ObjectId,
  clientName: ClientName,
  reportName: Type.Optional(Type.String({ maxLength: 1000, description: "Name for people." })),
  payloadDescriptors: Type.Optional(Type.Array(ReportedDescriptor)),
  resources: Type.Array(ReportResource),
});
export type ReportRequest = Type.Static<typeof ReportRequest>;

export const Report = Type.Object({
  ...ReportRequest.properties,
  ...metadata("REPORT").properties,
  clientID: ClientId,
});
export type Report = Type.Static<typeof Report>;
