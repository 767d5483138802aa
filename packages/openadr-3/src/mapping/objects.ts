/** A number, a text, a truth value, or a point of a curve. */
export type Value = number | string | boolean | { readonly x: number; readonly y: number };

export interface ValuesMap {
  readonly type: string;
  readonly values: readonly Value[];
}

export interface IntervalPeriod {
  readonly start?: string;
  readonly duration?: string;
  readonly randomizeStart?: string;
}

export interface Interval {
  readonly id: number;
  readonly intervalPeriod?: IntervalPeriod;
  readonly payloads: readonly ValuesMap[];
}

export interface EventPayloadDescriptor {
  readonly objectType: "EVENT_PAYLOAD_DESCRIPTOR";
  readonly payloadType: string;
  readonly units?: string | null;
  readonly currency?: string | null;
}

export interface ReportPayloadDescriptor {
  readonly objectType: "REPORT_PAYLOAD_DESCRIPTOR";
  readonly payloadType: string;
  readonly readingType?: string | null;
  readonly units?: string | null;
  readonly accuracy?: number | null;
  readonly confidence?: number | null;
}

export interface ReportDescriptor {
  readonly payloadType: string;
  readonly readingType?: string | null;
  readonly units?: string | null;
  readonly targets?: readonly string[] | null;
  readonly aggregate?: boolean;
  readonly startInterval?: number;
  readonly numIntervals?: number;
  readonly historical?: boolean;
  readonly frequency?: number;
  readonly repeat?: number;
  readonly reportIntervals?: "INTERVALS" | "SUB_INTERVALS" | "OPEN_INTERVALS";
}

export interface ProgramRequest {
  readonly programName: string;
  readonly intervalPeriod?: IntervalPeriod;
  readonly payloadDescriptors?: ReadonlyArray<EventPayloadDescriptor | ReportPayloadDescriptor> | null;
  readonly attributes?: readonly ValuesMap[] | null;
  readonly targets?: readonly string[] | null;
}

export interface EventRequest {
  readonly programID: string;
  readonly eventName?: string | null;
  readonly duration?: string;
  readonly priority?: number | null;
  readonly targets?: readonly string[] | null;
  readonly reportDescriptors?: readonly ReportDescriptor[] | null;
  readonly payloadDescriptors?: readonly EventPayloadDescriptor[] | null;
  readonly intervalPeriod?: IntervalPeriod;
  readonly intervals?: readonly Interval[];
}

export interface ReportResource {
  readonly resourceName: string;
  readonly intervalPeriod?: IntervalPeriod;
  readonly intervals: readonly Interval[];
}

export interface ReportRequest {
  readonly eventID: string;
  readonly clientName: string;
  readonly reportName?: string | null;
  readonly payloadDescriptors?: readonly ReportPayloadDescriptor[] | null;
  readonly resources: readonly ReportResource[];
}
