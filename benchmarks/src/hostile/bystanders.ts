import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { now } from "../commit.js";
import { postReadings } from "../load.js";
import { type ReadingSet, uploadBody } from "../readings.js";
import { dispatched, NEIGHBOUR_METERS, type Stage } from "./stage.js";
import type { Experience } from "./verdict.js";

/** Within the limits of a key: 300 polls a minute. */
const POLL_EVERY_MS = 250;
const UPLOAD_EVERY_MS = 500;
const DISPATCH_EVERY_MS = 1000;
const PROBE_EVERY_MS = 50;
/** Requests without an answer by then count as failed. */
const PATIENCE_MS = 20_000;

const readings: ReadingSet = { meters: NEIGHBOUR_METERS, steps: 1, intervalSeconds: 30 };
let step = 0;

/**
 * Measures a neighbour, the operator and a webhook for some seconds, each at a fixed pace however long answers take.
 */
export const experience = async (stage: Stage, seconds: number): Promise<Experience> => {
  const { service, neighbour } = stage;
  const agent = new Agent({ headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  const key = { "x-service-api-key": neighbour.key };
  const upload = () =>
    postReadings(service.url, neighbour.key, uploadBody(readings, neighbour.meterIds, step++), agent);
  const [polls, uploads, notices, probes] = await Promise.all([
    paced(seconds, POLL_EVERY_MS, () => get(agent, `${service.url}/2022-04-15/dispatches`, key)),
    paced(seconds, UPLOAD_EVERY_MS, upload),
    paced(seconds, DISPATCH_EVERY_MS, () => notice(stage)),
    paced(seconds, PROBE_EVERY_MS, () => get(agent, `${service.url}/healthz`, {})),
  ]);
  await agent.destroy();
  return { polls, uploads, notices, probes };
};

/** Calls `once` at fixed intervals; returns the duration of each, infinite if it threw. */
const paced = async (seconds: number, everyMs: number, once: () => Promise<number>): Promise<number[]> => {
  const startedMs = performance.now();
  const all: Array<Promise<number>> = [];
  for (let atMs = 0; atMs < seconds * 1000; atMs += everyMs) {
    await sleep(Math.max(0, startedMs + atMs - performance.now()));
    all.push(Promise.race([once().catch(() => Number.POSITIVE_INFINITY), impatience()]));
  }
  return Promise.all(all);
};

const impatience = (): Promise<number> => sleep(PATIENCE_MS, Number.POSITIVE_INFINITY, { ref: false });

const get = async (dispatcher: Agent, url: string, headers: Readonly<Record<string, string>>): Promise<number> => {
  const sent = performance.now();
  const answer = await request(url, { headers, dispatcher });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
  return performance.now() - sent;
};

/** From the operator's request to the arrival at the webhook. */
const notice = async ({ service, relay, notified, programId }: Stage): Promise<number> => {
  const sentMs = now();
  const id = await dispatched(service, programId, notified.siteIds);
  for (const endMs = sentMs + PATIENCE_MS; !relay.arrivals.has(id) && now() < endMs; ) await sleep(5);
  return (relay.arrivals.get(id) ?? Number.POSITIVE_INFINITY) - sentMs;
};
