import type { ServerResponse } from "node:http";
import { operator } from "@curtail/contract";
import { type Received, type Receiver, receiver } from "@curtail/testing/receiver";
import { wireProgram } from "@curtail/testing/wire-forms";
import { expect } from "vitest";
import { recorded } from "./recorded.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;
let program: { id: string };

export const prepare = async () => {
  service = await running();
  program = await service.made(operator.createProgram, { body: wireProgram() });
};

export const ahead = (minutes: number): string =>
  new Date(service.clock.now().getTime() + minutes * 60_000).toISOString();

export const subscribed = async (
  ...names: string[]
): Promise<{ participant: Participant; hook: Receiver; webhookId: string }> => {
  const participant = await service.newParticipant();
  const hook = await receiver();
  const events = (names.length === 0 ? ["dispatch.create", "dispatch.update"] : names).map((name) => ({ name }));
  const { body } = await participant.call("POST", "/webhooks", { url: hook.url, events });
  return { participant, hook, webhookId: body.id };
};

export const dispatchOver = (participants: readonly Participant[], more: object = {}) =>
  service.made(operator.createDispatch, {
    body: {
      program_id: program.id,
      start_time: ahead(60),
      confirm_past: true,
      sites: participants.map(({ sites }) => ({ site_id: sites[0]?.id ?? "" })),
      ...more,
    },
  });

export const change = (id: string, body: object) => service.made(operator.changeDispatch, { params: { id }, body });
export const told = (notices: readonly Received[]) => notices.map(({ event, resource }) => [event, resource]);

/** Shows that nothing else was sent: the next notice arrives first. */
export const settled = async (hook: Receiver, participant: Participant, before: number): Promise<void> => {
  const { id } = await dispatchOver([participant]);
  const notices = await hook.notices(before + 1);
  expect(told(notices).at(-1)).toEqual(["dispatch.create", `/2022-04-15/dispatches/${id}`]);
  expect(notices).toHaveLength(before + 1);
  await recorded(service, id, 1);
};

export const answering = (status: number, headers = {}) => ({
  name: `${status} ${JSON.stringify(headers)}`,
  answer: (response: ServerResponse) => void response.writeHead(status, headers).end(),
});

export const expectDelivered = async (answer: Receiver["answer"]): Promise<void> => {
  const { participant, hook } = await subscribed();
  hook.answer = answer;
  const { id } = await dispatchOver([participant]);
  await recorded(service, id, 1);
  expect(await statesOf(id)).toEqual(["delivered"]);
};

export const expectTriedAgain = async (answer: Receiver["answer"]): Promise<void> => {
  const { participant, hook } = await subscribed();
  hook.answer = answer;
  const { id } = await dispatchOver([participant]);
  await recorded(service, id, 1);
  expect(await statesOf(id)).toEqual(["pending"]);
  expect(await hook.notices(1)).toHaveLength(1);
  hook.answer = 200;
  service.clock.set(new Date(await nextAttemptMs(id)));
  await recorded(service, id, 2);
  expect(await statesOf(id)).toEqual(["delivered"]);
};

export const nextAttemptMs = async (dispatchId: string): Promise<number> => {
  const sql = "select next_attempt_at from messages where subject = $1 and channel = 'webhook'";
  const { rows } = await service.database.pool.query<{ next_attempt_at: Date }>(sql, [dispatchId]);
  return rows[0]?.next_attempt_at.getTime() ?? Number.NaN;
};

export const statesOf = async (dispatchId: string): Promise<string[]> => {
  const sql = "select state from messages where subject = $1 and channel = 'webhook' order by seq";
  return (await service.database.pool.query<{ state: string }>(sql, [dispatchId])).rows.map(({ state }) => state);
};
