import type { ReportDescriptor } from "../contract/payload-descriptor.js";
import type { ReportRequest, ReportResource } from "../contract/report.js";
import type { EventInterval } from "./event-intervals.js";
import { intervalTimes } from "./interval-times.js";
import { loadOfInterval } from "./load-of-interval.js";
import { AGGREGATED_REPORT } from "./names.js";
import { quoted } from "./quoted.js";
import { isMeasured, type LoadUnits, loadUnits } from "./report-units.js";

/** The mean power of a resource over an interval. */
export interface ReportReading {
  readonly resourceName: string;
  readonly endMs: number;
  readonly intervalSeconds: number;
  readonly powerKw: number;
  /** What was sent as an energy; null for powers. */
  readonly energyKwh: number | null;
  /** Its place in the report, for messages. */
  readonly place: string;
}

/** The load in a report; nothing of it may be recorded if there are faults. */
export interface ReportLoad {
  readonly readings: readonly ReportReading[];
  readonly faults: readonly string[];
}

export interface ReportContext {
  /** Sites or meters whose load is recorded: the VEN's sites, and in place of a site with several meters, each meter. */
  readonly resourceNames: ReadonlySet<string>;
  /** The names of the meters of sites with several, by the name of the site. */
  readonly metersOfSites: ReadonlyMap<string, readonly string[]>;
  /** The intervals of the event, by id. */
  readonly eventIntervals: ReadonlyMap<number, EventInterval>;
  /** What the event asked for; its units apply if the report has none. */
  readonly reportDescriptors: readonly ReportDescriptor[];
  readonly now: Date;
}

const CELL_SECONDS = 30;
/** Cells of the grid that a report may fill: as many as the largest upload of readings. */
export const MAX_CELLS = 500_000;

/** The load in a report to an event of ours, DEMAND and USAGE, as readings; other payloads are none. */
export const readingsOfReport = (report: ReportRequest, context: ReportContext): ReportLoad => {
  const units = loadUnits(report, context.reportDescriptors);
  const loads = report.resources.map((resource, index) =>
    loadOfResource(resource, `resources[${index}]`, { units, context }),
  );
  const readings = loads.flatMap((load) => load.readings);
  const faults = loads.flatMap((load) => load.faults);
  // The units of payloads that are not recorded do not matter.
  if (readings.length > 0 || faults.length > 0) faults.unshift(...units.faults);
  const cells = readings.reduce((sum, { intervalSeconds }) => sum + intervalSeconds / CELL_SECONDS, 0);
  if (cells > MAX_CELLS)
    faults.push(`the report covers ${cells} intervals of 30 seconds; at most ${MAX_CELLS}, split it`);
  return { readings, faults };
};

interface Reading {
  readonly units: LoadUnits;
  readonly context: ReportContext;
}

const loadOfResource = (resource: ReportResource, place: string, { units, context }: Reading): ReportLoad => {
  const resourceName = nameOf(resource, context);
  if (resourceName === null) {
    const isFault = resource.intervals.some(({ payloads }) => payloads.some(({ type }) => isMeasured(type, units)));
    return { readings: [], faults: isFault ? [`${place}.resourceName is ${unknownName(resource, context)}`] : [] };
  }
  const { now, eventIntervals: ofEvent } = context;
  const { intervalPeriod: defaults, intervals } = resource;
  const times = intervalTimes({ defaults, intervals, ofEvent, now });
  const loads = intervals.map((interval, index) => ({
    at: `${place}.intervals[${index}]`,
    ...loadOfInterval(interval, times[index] ?? { fault: "intervalPeriod is missing" }, units),
  }));
  return {
    readings: loads.flatMap(({ at, loads: parts }) =>
      parts.map((load) => ({ ...load, resourceName, place: `${at}${load.place}` })),
    ),
    faults: loads.flatMap(({ at, faults }) => faults.map((fault) => `${at}${fault}`)),
  };
};

/** The sum over the only resource is that resource; over several, it is nobody's. */
const nameOf = ({ resourceName }: ReportResource, { resourceNames }: ReportContext): string | null => {
  if (resourceNames.has(resourceName)) return resourceName;
  const [only] = resourceNames;
  return resourceName === AGGREGATED_REPORT && resourceNames.size === 1 && only !== undefined ? only : null;
};

const unknownName = ({ resourceName }: ReportResource, { metersOfSites }: ReportContext): string => {
  if (resourceName === AGGREGATED_REPORT)
    return `${AGGREGATED_REPORT}, but loads are recorded by resource; give an entry for each`;
  const meters = metersOfSites.get(resourceName);
  if (meters === undefined)
    return `${quoted(resourceName)}, which is no resource of this VEN; GET /resources lists them`;
  const shown = meters.slice(0, MAX_SHOWN).map(quoted).join(", ");
  return `${quoted(resourceName)}, a site with several meters; give an entry for each of ${shown}${meters.length > MAX_SHOWN ? ", …" : ""}`;
};

const MAX_SHOWN = 5;
