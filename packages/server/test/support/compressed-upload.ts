import { gzipSync } from "node:zlib";
import { firstOf, kwReading } from "./metering.js";
import { type Participant, type Running, running } from "./running.js";

// G73, G10, G48.
export const LIMIT = 8192;
export const PATH = "/2022-04-15/telemetry";
export const PUBLIC_KEY = "public-key-of-these-tests";

export let service: Running;
export let anna: Participant;
export let meterId: string;
export let siteId: string;

export const prepare = async () => {
  service = await running({ CURTAIL_MAX_BODY_BYTES: String(LIMIT), CURTAIL_SANDBOX_PUBLIC_KEY: PUBLIC_KEY });
  service.clock.set(new Date("2026-07-01T20:00:00Z"));
  anna = await service.newParticipant();
  ({ siteId, meterId } = firstOf(anna));
};

export const send = async (
  body: Buffer | string,
  { path = PATH, key = anna.key, url = service.url, ...headers }: Record<string, string> = {},
) => {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "x-service-api-key": key, "content-type": "application/json", "content-encoding": "gzip", ...headers },
    body: typeof body === "string" ? gzipSync(body) : new Uint8Array(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

export const minute = (index: number): string => new Date(Date.UTC(2026, 6, 1, 18, index)).toISOString();
export const uploadOf = (...kW: number[]): string =>
  JSON.stringify({ telemetry: kW.map((each, index) => kwReading(meterId, minute(index), each, 60)) });
