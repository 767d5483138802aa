import Type from "typebox";
import { int32, PayloadType, ReadingType, Targets, Units } from "./values.js";

/** How to read the values of an event. */
export const EventPayloadDescriptor = Type.Object({
  objectType: Type.Literal("EVENT_PAYLOAD_DESCRIPTOR"),
  payloadType: PayloadType,
  units: Type.Optional(Units),
  currency: Type.Optional(Type.String({ maxLength: 128, description: "Currency of a price (ISO 4217)." })),
});
/** In an event, where the place shows the kind. */
export const EventDescriptor = Type.Object({
  ...EventPayloadDescriptor.properties,
  objectType: Type.Optional(EventPayloadDescriptor.properties.objectType),
});
export type EventPayloadDescriptor = Type.Static<typeof EventPayloadDescriptor>;

/** How to read the values of a report. */
export const ReportPayloadDescriptor = Type.Object({
  objectType: Type.Literal("REPORT_PAYLOAD_DESCRIPTOR"),
  payloadType: PayloadType,
  readingType: Type.Optional(ReadingType),
  units: Type.Optional(Units),
  accuracy: Type.Optional(Type.Number({ description: "Accuracy of the values." })),
  confidence: Type.Optional(int32("Confidence in the values, in percent.", { minimum: 0, maximum: 100 })),
});
/** In a report, where the place shows the kind. */
export const ReportedDescriptor = Type.Object({
  ...ReportPayloadDescriptor.properties,
  objectType: Type.Optional(ReportPayloadDescriptor.properties.objectType),
});
export type ReportPayloadDescriptor = Type.Static<typeof ReportPayloadDescriptor>;

/** What an event asks VENs to report. */
export const ReportDescriptor = Type.Object({
  payloadType: PayloadType,
  readingType: Type.Optional(ReadingType),
  units: Type.Optional(Units),
  targets: Type.Optional(Targets),
  aggregate: Type.Optional(Type.Boolean({ description: "One report for all resources. Default: false." })),
  startInterval: Type.Optional(int32("Interval at which to report; -1: after the last. Default: -1.")),
  numIntervals: Type.Optional(int32("Intervals in a report; -1: all. Default: -1.")),
  historical: Type.Optional(Type.Boolean({ description: "Reports on what was before, else after. Default: true." })),
  frequency: Type.Optional(int32("Intervals between reports; -1: as many as one has. Default: -1.")),
  repeat: Type.Optional(int32("Number of reports; -1: without end. Default: 1.")),
  reportIntervals: Type.Optional(Type.Enum(["INTERVALS", "SUB_INTERVALS", "OPEN_INTERVALS"])),
});
export type ReportDescriptor = Type.Static<typeof ReportDescriptor>;
