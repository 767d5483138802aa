import { OPERATOR_TOKEN } from "./service-process.js";

export interface Site {
  readonly id: string;
  readonly meterId: string;
}

/** An account with sites of one meter each, and its key. */
export interface Participant {
  readonly accountId: string;
  readonly key: string;
  readonly sites: readonly Site[];
}

/** Calls the operator API; throws what it answers unless it is a success. */
export const operate = async <T>(url: string, method: string, path: string, body?: unknown): Promise<T> => {
  const response = await fetch(`${url}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as T;
};

export interface ParticipantOptions {
  /** Name of each site's meter. */
  readonly meter?: string;
  /** Where its key is accepted. */
  readonly environment?: "production" | "sandbox";
}

export const newParticipant = async (
  url: string,
  sites: number,
  { meter = "main", environment = "production" }: ParticipantOptions = {},
): Promise<Participant> => {
  const account = await operate<{ id: string }>(url, "POST", "/accounts", { name: "Participant" });
  const created: Site[] = [];
  for (let index = 0; index < sites; index++) {
    const body = { name: `Site ${index}`, meters: [{ name: meter }] };
    const site = await operate<{ id: string; meters: Array<{ id: string }> }>(
      url,
      "POST",
      `/accounts/${account.id}/sites`,
      body,
    );
    created.push({ id: site.id, meterId: site.meters[0]?.id ?? "" });
  }
  const path = `/accounts/${account.id}/keys`;
  const { claim_url } = await operate<{ claim_url: string }>(url, "POST", path, { environment });
  const { api_key } = (await (await fetch(claim_url, { method: "POST" })).json()) as { api_key: string };
  return { accountId: account.id, key: api_key, sites: created };
};

export interface Point {
  readonly timestamp: string;
  readonly value: number;
}

/** Stored points of the sites' meters, by meter id. */
export const readPoints = async (
  url: string,
  { key, sites }: Participant,
  window: { readonly start: string; readonly end: string; readonly intervalSeconds?: number },
): Promise<Map<string, Point[]>> => {
  const query = new URLSearchParams({ start_time: window.start, end_time: window.end });
  if (window.intervalSeconds !== undefined) query.set("interval_seconds", String(window.intervalSeconds));
  for (const site of sites) query.append("site_id", site.id);
  const response = await fetch(`${url}/2022-04-15/telemetry/kw?${query.toString()}`, {
    headers: { "x-service-api-key": key },
  });
  if (!response.ok) throw new Error(`the read answered ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as {
    data: { sites: Array<{ meters: Array<{ meter_id: string; telemetry: Point[] }> }> };
  };
  return new Map(data.sites.flatMap((site) => site.meters.map((meter) => [meter.meter_id, meter.telemetry])));
};
