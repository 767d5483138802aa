import { type Endpoint, endpoints, operator } from "@curtail/contract";
import { lastingReceiver } from "@curtail/testing/receiver";
import type { FakeClock } from "./fake-clock.js";
import type { Participant, Running } from "./running.js";

/** A request that the interface answers with 200 for its account. */
export interface ParticipantCall {
  readonly method: Endpoint["method"];
  readonly path: string;
  readonly body?: unknown;
}

/** Ids for a call: sites, meters, dispatches and webhooks. */
export interface Named {
  readonly siteId: string;
  readonly meterId: string;
  readonly dispatchId: string;
  readonly webhookId: string;
}

type EndpointId = (typeof endpoints)[number]["id"];

const SECOND = 1000;
const HOUR = 3600 * SECOND;

const at = (clock: FakeClock, ms: number): string => new Date(clock.now().getTime() + ms).toISOString();

// Webhooks are registered with an address that answers.
const hook = await lastingReceiver();

/** A valid call of every endpoint; missing ones are not built yet. */
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
  getDispatchPerformance: ({ dispatchId }) => ({ path: `/dispatches/${dispatchId}/performance` }),
  getSitePerformance: ({ dispatchId, siteId }) => ({ path: `/dispatches/${dispatchId}/sites/${siteId}/performance` }),
  downloadDispatchTable: ({ dispatchId }) => ({ path: `/dispatches/${dispatchId}/performance/table` }),
  getPerformanceDifference: ({ dispatchId }) => ({ path: `/dispatches/${dispatchId}/performance/difference` }),
  listRequests: () => ({ path: "/requests?status=error&limit=5" }),
  listResends: () => ({ path: "/resends?limit=5" }),
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
  listWebhooks: () => ({ path: "/webhooks" }),
  createWebhook: () => ({ path: "/webhooks", body: { url: hook.url, events: [{ name: "dispatch.create" }] } }),
  deleteWebhook: ({ webhookId }) => ({ path: `/webhooks/${webhookId}` }),
};

/** Whether an endpoint is 404 until a dispatch has two final results. */
export const needsVersions = (id: string): boolean => id === "getPerformanceDifference";

/** Ends an account's own tests, since it may have only three (G47). */
export const cancelTests = ({ made }: Pick<Running, "made">, { accountId }: Participant): Promise<unknown> =>
  made(operator.cancelTests, { params: { id: accountId } });

/**
 * Endpoints that are served and answer 200 however often they are called; for test dispatches, as long as `cancelTests`
 * ends them.
 */
export const repeatableEndpoints = endpoints.filter(
  (each) => calls[each.id] !== undefined && each.id !== "deleteWebhook" && !needsVersions(each.id),
);
export const servedEndpoints = endpoints.filter((each) => calls[each.id] !== undefined && !needsVersions(each.id));
export const laterEndpoints = endpoints.filter((each) => calls[each.id] === undefined);

export const goodCall = (endpoint: (typeof endpoints)[number], named: Named, clock: FakeClock): ParticipantCall => {
  const build = calls[endpoint.id];
  if (build === undefined) throw new Error(`${endpoint.id} is not served yet`);
  return { method: endpoint.method, ...build(named, clock) };
};

/** The first site of a participant, its first meter, a dispatch, and a webhook. */
export const namesOf = ({ sites }: Participant, dispatchId: string, webhookId = "wh_0000000000000000"): Named => ({
  siteId: sites[0]?.id ?? "",
  meterId: sites[0]?.meters[0] ?? "",
  dispatchId,
  webhookId,
});

/** Well-formed ids of nothing. */
export const unknownNames: Named = {
  siteId: "site_0000000000000000",
  meterId: "mtr_0000000000000000",
  dispatchId: "dis_0000000000000000",
  webhookId: "wh_0000000000000000",
};
