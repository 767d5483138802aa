import { formatDuration } from "@curtail/openadr/duration";
import type { EventRequest } from "../contract/event.js";
import type { EventPayloadDescriptor, ReportDescriptor } from "../contract/payload-descriptor.js";
import type { ValuesMap } from "../contract/values-map.js";
import type { SimpleLevel } from "./simple-level.js";
import { formatMoment } from "./written-times.js";

/** What the event of a dispatch needs to know, with the sites of one VEN only. */
export interface Dispatch {
  readonly id: string;
  /** Of the program object; for a test, that of the program of tests. */
  readonly programId: string;
  readonly programName: string;
  readonly test: boolean;
  readonly start: Date;
  /** null while it is unknown. */
  readonly end: Date | null;
  /** Where the event ends meanwhile, see `openPeriodEnd`. */
  readonly openEnd: Date;
  readonly level: SimpleLevel;
  /** Unique, in order of creation; the same as in OpenADR 2.0a. */
  readonly priority: number;
  readonly sites: readonly DispatchSite[];
}

export interface DispatchSite {
  readonly resourceName: string;
  /** null: the site reduces its load by no agreed amount. */
  readonly commitmentKw: number | null;
}

const SECOND_MS = 1000;

/**
 * The event of a dispatch for one VEN. An interval has no values per target, so its payload is the sum of the sites.
 */
export const eventOfDispatch = (dispatch: Dispatch): EventRequest => {
  const setpointKw = setpointKwOf(dispatch.sites);
  const payloads: ValuesMap[] = [{ type: "SIMPLE", values: [dispatch.level] }];
  if (setpointKw !== null) payloads.unshift({ type: "DISPATCH_SETPOINT_RELATIVE", values: [setpointKw] });
  return {
    programID: dispatch.programId,
    eventName: eventNameOf(dispatch),
    priority: dispatch.priority,
    targets: dispatch.sites.map(({ resourceName }) => resourceName),
    reportDescriptors: [STATE_REPORT],
    payloadDescriptors: [...DISPATCH_DESCRIPTORS],
    intervalPeriod: periodOf(dispatch),
    intervals: [{ id: 0, payloads }],
  };
};

/** The payloads of dispatches. */
export const DISPATCH_DESCRIPTORS: readonly EventPayloadDescriptor[] = [
  { objectType: "EVENT_PAYLOAD_DESCRIPTOR", payloadType: "DISPATCH_SETPOINT_RELATIVE", units: "KW" },
  { objectType: "EVENT_PAYLOAD_DESCRIPTOR", payloadType: "SIMPLE" },
];

/**
 * Asks for the state of each resource whenever it changes: the answer to the dispatch. The load is asked for once, by
 * the event of the standing request, so that no VEN sends it twice.
 */
const STATE_REPORT: ReportDescriptor = {
  payloadType: "OPERATING_STATE",
  readingType: "DIRECT_READ",
  frequency: 0,
  repeat: -1,
  reportIntervals: "OPEN_INTERVALS",
};

/**
 * How much the load changes: minus the sum of the commitments, so that less load is negative. A site without a
 * commitment adds nothing; without any there is no amount (0 would say that nothing changes), and SIMPLE alone shows
 * that the sites are dispatched.
 */
const setpointKwOf = (sites: readonly DispatchSite[]): number | null => {
  const commitments = sites.flatMap(({ commitmentKw }) => (commitmentKw === null ? [] : [commitmentKw]));
  if (commitments.length === 0) return null;
  const sumKw = commitments.reduce((sum, kw) => sum + kw, 0);
  return sumKw === 0 ? 0 : -Number(sumKw.toFixed(MILLIWATT_DECIMALS));
};

/** In kW. Sums of binary fractions have digits that nobody agreed on. */
const MILLIWATT_DECIMALS = 6;

const eventNameOf = ({ id, programName, test }: Dispatch): string => {
  const words = [...(test ? ["TEST"] : []), ...(programName === "" ? [] : [programName]), id];
  return words.join(" ");
};

/** Whole seconds: the length is rounded up, because a length of 0 cancels an event. */
const periodOf = ({ start, end, openEnd }: Dispatch) => {
  const startMs = Math.floor(start.getTime() / SECOND_MS) * SECOND_MS;
  const seconds = Math.ceil(((end ?? openEnd).getTime() - startMs) / SECOND_MS);
  return { start: formatMoment(new Date(startMs)), duration: formatDuration(Math.max(1, seconds)) };
};

const HOUR_MS = 3_600_000;

/**
 * Where the event of a dispatch without an end ends at a moment: some clients cannot read an endless period. It grows by
 * `hours`, what the program expects such a dispatch to last, whenever less than half of that is left.
 */
export const openPeriodEnd = ({ start, hours }: { readonly start: Date; readonly hours: number }, now: Date): Date => {
  const stepMs = hours * HOUR_MS;
  const steps = Math.ceil((now.getTime() - start.getTime()) / stepMs + 0.5);
  return new Date(start.getTime() + Math.max(1, steps) * stepMs);
};
