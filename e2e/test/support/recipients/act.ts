import { setTimeout as sleep } from "node:timers/promises";
import { eventsIn } from "../ven.js";
import type { Success } from "./judge.js";
import type { Actor } from "./set-up.js";

const EVERY_MS = 2000;

/** Where the service is now: another port after each start. */
export interface Whereabouts {
  url: string;
  openadrUrl: string;
}

/** Has everyone do what it does by itself, again and again, until it is stopped; tells of what each learned so. */
export const act = (
  actors: readonly Actor[],
  whereabouts: Whereabouts,
  onSuccess: (success: Success) => void,
): (() => Promise<void>) => {
  const stopped = new AbortController();
  const again = async (once: () => Promise<void>): Promise<void> => {
    await sleep(Math.random() * EVERY_MS);
    while (!stopped.signal.aborted) {
      // A service that was killed does not answer; the next turn asks again.
      await once().catch(() => {});
      await sleep(EVERY_MS);
    }
  };
  const loops = actors
    .filter(({ behaviour }) => behaviour.key !== undefined || behaviour.ven !== undefined)
    .map((actor) => again(() => turnOf(actor, whereabouts, onSuccess)));
  return async () => {
    stopped.abort();
    await Promise.all(loops);
  };
};

const turnOf = async (
  actor: Actor,
  { url, openadrUrl }: Whereabouts,
  onSuccess: (success: Success) => void,
): Promise<void> => {
  const { accountId } = actor;
  if (actor.behaviour.key === "uploads") return upload(actor, url);
  const ids = actor.ven === null ? await poll(actor, url) : await acknowledge(actor, openadrUrl);
  const by = actor.ven === null ? "poll" : "VEN";
  for (const dispatchId of ids) onSuccess({ accountId, dispatchId, by });
};

const signal = (): AbortSignal => AbortSignal.timeout(5000);

/** Uses the key, and learns of nothing. */
const upload = async ({ participant: { key, sites } }: Actor, url: string): Promise<void> => {
  const timestamp = new Date(Math.floor(Date.now() / 30_000) * 30_000).toISOString();
  const reading = { meter_id: sites[0]?.meterId, interval_seconds: 30, timestamp, kW: 10 };
  const headers = { "x-service-api-key": key, "content-type": "application/json" };
  const body = JSON.stringify({ telemetry: [reading] });
  await (await fetch(`${url}/2022-04-15/telemetry`, { method: "POST", headers, body, signal: signal() })).text();
};

const poll = async ({ participant: { key } }: Actor, url: string): Promise<string[]> => {
  const headers = { "x-service-api-key": key };
  const response = await fetch(`${url}/2022-04-15/dispatches`, { headers, signal: signal() });
  if (!response.ok) throw new Error(`GET /dispatches answered ${response.status}`);
  const { dispatches } = (await response.json()) as { dispatches: Array<{ id: string }> };
  return dispatches.map(({ id }) => id);
};

/** Answers what the VEN's kind answers to what a poll brought; what it acknowledged so is what it learned. */
const acknowledge = async ({ ven, behaviour }: Actor, openadrUrl: string): Promise<string[]> => {
  if (ven === null || behaviour.ven === "never polls") return [];
  const events = eventsIn((await ven.at(openadrUrl).poll()).text);
  if (behaviour.ven === "never answers" || events.length === 0) return [];
  const isGood = behaviour.ven === "acknowledges";
  const reply = await ven.at(openadrUrl).answer(events, isGood ? "200" : "400");
  if (!isGood || reply.status !== 200 || !/responseCode>200</.test(reply.text)) return [];
  return events.map(([id = ""]) => id);
};
