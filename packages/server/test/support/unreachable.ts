import { createWebhook, operator } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { expect } from "vitest";
import { newProgram } from "./dispatching.js";
import { recorded, recordedAtLeast } from "./recorded.js";
import type { Participant, Running } from "./running.js";

export interface Unreachable {
  readonly participant: Participant;
  readonly programId: string;
  readonly hooks: readonly Receiver[];
}

/** An account with this many webhooks, none of which works. */
export const unreachable = async (on: Running, contacts: readonly string[], webhooks = 2): Promise<Unreachable> => {
  const participant = await on.newParticipant({ name: "Mills" });
  for (const email of contacts) {
    await on.made(operator.createContact, {
      params: { id: participant.accountId },
      body: { name: "Night shift", email },
    });
  }
  const hooks = await Promise.all(Array.from({ length: webhooks }, () => receiver()));
  for (const hook of hooks) {
    await subscribe(participant, hook);
    hook.answer = 503;
  }
  return { participant, programId: await newProgram(on, [participant]), hooks };
};

/** Registers a webhook for every event; returns its id. */
export const subscribe = async (participant: Participant, hook: Receiver): Promise<string> => {
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  return (await participant.call(createWebhook, { body: { url: hook.url, events } })).body.id;
};

const delaysSeconds = [2, 6, 18, 54].map((seconds) => seconds * 1.25);

/** Fails every delivery of the dispatch's newest change five times; `before` is the number of earlier attempts. */
export const failForGood = async (on: Running, dispatchId: string, deliveries: number, before = 0): Promise<void> => {
  await recorded(on, dispatchId, before + deliveries);
  for (const [index, seconds] of delaysSeconds.entries()) {
    on.clock.advance({ seconds });
    const count = before + (index + 2) * deliveries;
    if (index < delaysSeconds.length - 1) await recorded(on, dispatchId, count);
    // A change that waited behind this one is sent at once.
    else await recordedAtLeast(on, dispatchId, count);
  }
};

export const mailRows = async (on: Running, dispatchId: string) => {
  // As those who wait for one see it.
  const state = `case when modification is not null then 'sent' when state = 'pending' then 'waiting' when state = 'failed' then reason else state end`;
  const sql = `select event, ${state} as state, failures from messages where subject = $1 and channel = 'email' order by seq`;
  return (await on.database.pool.query(sql, [dispatchId])).rows;
};

export const poll = async <T>(read: () => Promise<T>, expected: T): Promise<void> => {
  // Gauges may be up to a second old.
  await expect.poll(read).toEqual(expected);
};
