import { setTimeout as sleep } from "node:timers/promises";
import { type Client, participantClient } from "@curtail/client";
import { listDispatches, uploadTelemetry } from "@curtail/contract";
import { eventsIn } from "../ven.js";
import type { Success } from "./judge.js";
import type { Actor } from "./set-up.js";

const EVERY_MS = 2000;

/** The service's current addresses: its port changes with each start. */
export interface Whereabouts {
  url: string;
  openadrUrl: string;
}

/** Starts everyone's own activity, repeated until stopped; reports what each learned. */
export const act = (
  actors: readonly Actor[],
  whereabouts: Whereabouts,
  onSuccess: (success: Success) => void,
): (() => Promise<void>) => {
  const stopped = new AbortController();
  const again = async (once: () => Promise<void>): Promise<void> => {
    await sleep(Math.random() * EVERY_MS);
    while (!stopped.signal.aborted) {
      // A killed service does not answer; the next turn tries again.
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

const clientOf = ({ participant: { key } }: Actor, url: string): Client =>
  participantClient({ url, key, timeoutMs: 5000 });

/** Uses the key without learning anything. */
const upload = async (actor: Actor, url: string): Promise<void> => {
  const timestamp = new Date(Math.floor(Date.now() / 30_000) * 30_000).toISOString();
  const meter_id = actor.participant.sites[0]?.meterId ?? "";
  const telemetry = [{ meter_id, interval_seconds: 30, timestamp, kW: 10 }];
  await (await clientOf(actor, url).send(uploadTelemetry, { body: { telemetry } })).text();
};

const poll = async (actor: Actor, url: string): Promise<string[]> => {
  const { dispatches } = await clientOf(actor, url).call(listDispatches);
  return dispatches.map(({ id }) => id);
};

/** Answers a poll's events as the VEN's kind does; what it acknowledges counts as learned. */
const acknowledge = async ({ ven, behaviour }: Actor, openadrUrl: string): Promise<string[]> => {
  if (ven === null || behaviour.ven === "never polls") return [];
  const events = eventsIn((await ven.at(openadrUrl).poll()).text);
  if (behaviour.ven === "never answers" || events.length === 0) return [];
  const isGood = behaviour.ven === "acknowledges";
  const reply = await ven.at(openadrUrl).answer(events, isGood ? "200" : "400");
  if (!isGood || reply.status !== 200 || !/responseCode>200</.test(reply.text)) return [];
  return events.map(([id = ""]) => id);
};
