export { firstSite } from "./first-site.js";
export { FLEET_SITES, fleetOf } from "./fleet.js";
export { fleetCsv, fleetTable } from "./fleet-csv.js";
export type { Call } from "./load/response.js";
export { type Simulator, simulatorOf } from "./load/simulator.js";
export { type PastDispatch, pastCallsOf, pastDispatches } from "./past.js";
export { programNames, programs } from "./programs.js";
export { readingsOf, type Span } from "./readings.js";
export { type ProgramKey, programKeys, type SiteSpec } from "./site-spec.js";
