import { eventsOf } from "./measure-dispatch.js";
import type { DispatchToMeasure, MeasurementPorts, SiteToMeasure } from "./measurement-ports.js";
import { SiteMeasurement } from "./site-measurement.js";

/** Measures sites of a dispatch one after the other, holding one at a time. */
export async function* measuredSites(
  ports: MeasurementPorts,
  dispatch: DispatchToMeasure,
  sites: readonly SiteToMeasure[],
): AsyncGenerator<SiteMeasurement> {
  const events = await eventsOf(ports, dispatch);
  const nowMs = ports.clock.now().getTime();
  for (const site of sites)
    yield SiteMeasurement.read(ports.reader, { dispatch, site, events: events.get(site.id) ?? [] }, nowMs);
}
