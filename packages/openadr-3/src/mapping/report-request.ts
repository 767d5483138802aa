import type { EventRequest } from "../contract/event.js";
import type { ReportDescriptor, ReportPayloadDescriptor } from "../contract/payload-descriptor.js";

export interface ReportRequested {
  /** Of the program object that the standing request belongs to. */
  readonly programId: string;
  /** The resources of the VEN. */
  readonly resourceNames: readonly string[];
  /** What reports of load may name: the resources, and in place of a site with several meters, each of those. */
  readonly loadNames: readonly string[];
}

/**
 * The standing request for telemetry: an event with report descriptors and an empty list of intervals, as some VENs
 * read the list of each event. It has no period, as VENs would show an endless one as an event that is on (G68). The
 * VEN chooses when it reports, and the intervals of the report.
 */
export const reportRequest = ({ programId, resourceNames, loadNames }: ReportRequested): EventRequest => ({
  programID: programId,
  eventName: "Telemetry",
  targets: [...resourceNames],
  reportDescriptors: LOAD_REPORTS.map((each) => ({ ...each, ...namedIn(resourceNames, loadNames) })),
  intervals: [],
});

/** Told only where the targets of the event do not: a descriptor without targets is about all of those. */
const namedIn = (resourceNames: readonly string[], loadNames: readonly string[]): Pick<ReportDescriptor, "targets"> =>
  resourceNames.length === loadNames.length && resourceNames.every((name, index) => name === loadNames[index])
    ? {}
    : { targets: [...loadNames] };

const AT_ANY_TIME = { frequency: 0, repeat: -1, reportIntervals: "OPEN_INTERVALS" } as const;

const LOAD_REPORTS: readonly ReportDescriptor[] = [
  { payloadType: "DEMAND", readingType: "MEAN", units: "KW", ...AT_ANY_TIME },
  { payloadType: "USAGE", readingType: "DIRECT_READ", units: "KWH", ...AT_ANY_TIME },
];

/** The same for programs: what their reports may contain. */
export const REPORT_DESCRIPTORS: readonly ReportPayloadDescriptor[] = [
  { objectType: "REPORT_PAYLOAD_DESCRIPTOR", payloadType: "DEMAND", readingType: "MEAN", units: "KW" },
  { objectType: "REPORT_PAYLOAD_DESCRIPTOR", payloadType: "USAGE", readingType: "DIRECT_READ", units: "KWH" },
  { objectType: "REPORT_PAYLOAD_DESCRIPTOR", payloadType: "OPERATING_STATE", readingType: "DIRECT_READ" },
];
