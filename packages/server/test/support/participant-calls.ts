import { type Endpoint, endpoints } from "@curtail/contract";
import type { FakeClock } from "./fake-clock.js";
import type { Participant } from "./running.js";

/** A request that the interface answers with 200 when its account sends it. */
export interface ParticipantCall {
  readonly method: Endpoint["method"];
  readonly path: string;
  readonly body?: unknown;
}

/** What a call names: sites, meters and dispatches by id. */
export interface Named {
  readonly siteId: string;
  readonly meterId: string;
  readonly dispatchId: string;
}

type EndpointId = (typeof endpoints)[number]["id"];

const SECOND = 1000;
const HOUR = 3600 * SECOND;

const at = (clock: FakeClock, ms: number): string => new Date(clock.now().getTime() + ms).toISOString();

/** A good call of every endpoint that is served; what is missing here is not built yet. */
const calls: Partial<Record<EndpointId, (named: Named, clock: FakeClock) => Omit<ParticipantCall, "method">>> = {
  listDispatches: () => ({ path: "/dispatches" }),
  getDispatch: ({ dispatchId }) => ({ path: `/dispatches/${dispatchId}` }),
  createTestDispatch: (_, clock) => ({
    path: "/dispatches",
    body: { start_time: at(clock, HOUR), end_time: at(clock, 2 * HOUR) },
  }),
  changeSchedule: ({ siteId }, clock) => ({
    path: `/schedule/sites/${siteId}`,
    body: { available: false, start_time: at(clock, 48 * HOUR), end_time: at(clock, 49 * HOUR) },
  }),
  listSites: () => ({ path: "/sites" }),
  uploadTelemetry: ({ meterId }, clock) => ({
    path: "/telemetry",
    body: { telemetry: [{ interval_seconds: 60, meter_id: meterId, timestamp: at(clock, 0), kW: 1 }] },
  }),
  uploadControllableLoad: ({ siteId }, clock) => ({
    path: "/telemetry/controllable-load",
    body: {
      controllable_load: [{ interval_seconds: 60, site_id: siteId, timestamp: at(clock, 0), units: "kW", value: 1 }],
    },
  }),
  readTelemetry: ({ siteId }, clock) => ({
    path: `/telemetry/kw?site_id=${siteId}&start_time=${at(clock, -HOUR)}&end_time=${at(clock, HOUR)}`,
  }),
};

export const servedEndpoints = endpoints.filter((each) => calls[each.id] !== undefined);
export const laterEndpoints = endpoints.filter((each) => calls[each.id] === undefined);

export const goodCall = (endpoint: (typeof endpoints)[number], named: Named, clock: FakeClock): ParticipantCall => {
  const build = calls[endpoint.id];
  if (build === undefined) throw new Error(`${endpoint.id} is not served yet`);
  return { method: endpoint.method, ...build(named, clock) };
};

/** The first site of a participant, its first meter, and a dispatch. */
export const namesOf = ({ sites }: Participant, dispatchId: string): Named => ({
  siteId: sites[0]?.id ?? "",
  meterId: sites[0]?.meters[0] ?? "",
  dispatchId,
});

/** Well-formed ids that name nothing. */
export const unknownNames: Named = {
  siteId: "site_0000000000000000",
  meterId: "mtr_0000000000000000",
  dispatchId: "dis_0000000000000000",
};
