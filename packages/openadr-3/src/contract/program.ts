import Type from "typebox";
import { IntervalPeriod } from "./interval.js";
import { metadata } from "./metadata.js";
import { EventPayloadDescriptor, ReportPayloadDescriptor } from "./payload-descriptor.js";
import { ProgramName, Targets, Uri } from "./values.js";
import { Attributes } from "./values-map.js";

export const ProgramRequest = Type.Object({
  programName: ProgramName,
  intervalPeriod: Type.Optional(IntervalPeriod),
  programDescriptions: Type.Optional(Type.Array(Type.Object({ URL: Uri }))),
  payloadDescriptors: Type.Optional(Type.Array(Type.Union([EventPayloadDescriptor, ReportPayloadDescriptor]))),
  attributes: Type.Optional(Attributes),
  targets: Type.Optional(Targets),
});
export type ProgramRequest = Type.Static<typeof ProgramRequest>;

export const Program = Type.Object({ ...ProgramRequest.properties, ...metadata("PROGRAM").properties });
export type Program = Type.Static<typeof Program>;
