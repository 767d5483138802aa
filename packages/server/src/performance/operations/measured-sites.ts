import { gatheredRows } from "./gathered-rows.js";
import { eventsOf } from "./measure-dispatch.js";
import type { DispatchToMeasure, MeasurementPorts, SiteToMeasure } from "./measurement-ports.js";
import { SiteMeasurement } from "./site-measurement.js";

/** Sites with about this many meters are read together: their look-backs take some megabytes. */
const METERS_AT_ONCE = 16;

/** Measures sites of a dispatch in their order, a few at a time. */
export async function* measuredSites(
  ports: MeasurementPorts,
  dispatch: DispatchToMeasure,
  sites: readonly SiteToMeasure[],
): AsyncGenerator<SiteMeasurement> {
  const events = await eventsOf(ports, dispatch);
  const nowMs = ports.clock.now().getTime();
  const reader = gatheredRows(ports.reader);
  const measured = (site: SiteToMeasure) =>
    SiteMeasurement.read(reader, { dispatch, site, events: events.get(site.id) ?? [] }, nowMs);
  for (const group of groupsOf(sites)) yield* await Promise.all(group.map(measured));
}

const groupsOf = (sites: readonly SiteToMeasure[]): SiteToMeasure[][] => {
  const groups: SiteToMeasure[][] = [];
  let meters = METERS_AT_ONCE;
  for (const site of sites) {
    if (meters >= METERS_AT_ONCE) {
      groups.push([]);
      meters = 0;
    }
    groups.at(-1)?.push(site);
    meters += site.meters.length;
  }
  return groups;
};
