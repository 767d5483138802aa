import { setTimeout as sleep } from "node:timers/promises";
import { SpoolingSink } from "@curtail/agent";
import { createParticipant } from "@curtail/client";
import { operator } from "@curtail/contract";
import { vi } from "vitest";
import type { KilledAgent } from "./killed-agent.js";
import { OUTAGE_MS, type Outage } from "./outage.js";
import { LIMIT_REGISTER } from "./outage-config.js";
import { operate } from "./participant.js";

/** How long an agent lives during the outage, on average. */
const LIFE_MS = 1000;
/** How much faster the agent's clock runs once the service is back: a minute takes a fifth of a second. */
const SPEED = 300;
const LONGEST_WAIT_MS = 1000;

const atRandom = (longestMs: number): Promise<void> => sleep(Math.random() * longestMs);

/**
 * The service is away for 48 hours of the agent's clock, while agent and uploads are killed again and again; then agent,
 * upload and service are killed in each round. Ends when nothing waits any more.
 */
export const passOutage = async (outage: Outage, rounds: number): Promise<void> => {
  const { service, agent, careless } = outage;
  const [first, ...others] = outage.files;
  await service.stop();
  await Promise.all([liveThroughOutage(agent, rounds), first?.upload.kill(rounds), careless.upload.kill(1)]);
  await service.startAgain();
  let dispatched: string | null = null;
  for (const [round, { upload }] of others.entries()) {
    await Promise.all([
      first?.upload.kill(1),
      upload.kill(1).then(() => upload.finish()),
      atRandom(LONGEST_WAIT_MS).then(() => restarted(agent)),
      atRandom(LONGEST_WAIT_MS).then(() => service.kill(round % 2 === 0 ? "service" : "both")),
    ]);
    dispatched = await dispatchReachesOutput(outage, { before: dispatched, commitment: round + 1 });
  }
  await Promise.all([first?.upload.finish(), careless.upload.finish()]);
  await agent.kill();
  await drained(outage);
};

/** The fewer lives, the faster its clock. */
const liveThroughOutage = async (agent: KilledAgent, lives: number): Promise<void> => {
  const untilMs = agent.reachedMs + OUTAGE_MS;
  while (agent.reachedMs < untilMs) {
    agent.start(OUTAGE_MS / (lives * LIFE_MS));
    await agent.reading();
    await atRandom(2 * LIFE_MS);
    await agent.kill();
  }
  agent.start(SPEED);
};

const restarted = async (agent: KilledAgent): Promise<void> => {
  await agent.kill();
  agent.start(SPEED);
};

/** Puts a dispatch in the place of the one before, and waits for its commitment at the output. */
const dispatchReachesOutput = async (
  { service: { url }, participant, program, device, agentFromMs }: Outage,
  { before, commitment }: { readonly before: string | null; readonly commitment: number },
): Promise<string> => {
  if (before !== null)
    await operate(url, operator.changeDispatch, { params: { id: before }, body: { authorized: false } });
  const sites = [{ site_id: participant.sites[0]?.id ?? "", commitment }];
  const start_time = `${new Date(agentFromMs).toISOString().slice(0, 19)}Z`;
  const body = { program_id: program, sites, start_time, confirm_past: true };
  const { id } = await operate(url, operator.createDispatch, { body });
  await vi.waitUntil(() => device.holding.get(LIMIT_REGISTER) === commitment, { timeout: 30_000, interval: 20 });
  return id;
};

/** Uploads what the agent left in its spool. */
const drained = async ({ service: { url }, participant: { key }, spoolFolder }: Outage): Promise<void> => {
  const sink = await SpoolingSink.open(spoolFolder, createParticipant({ url, key, retry: { attempts: 1 } }));
  await vi.waitUntil(() => sink.status.waiting === 0, { timeout: 60_000, interval: 20 });
  await sink.close();
};
