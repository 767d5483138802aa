import { createWebhook, operator } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { expect } from "vitest";
import { newDispatch, newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";

export interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly event: string;
  readonly next_attempt_at: string | null;
  readonly attempts: ReadonlyArray<{ readonly status: number | null; readonly error: string | null }>;
}

export interface Subscribed {
  readonly participant: Participant;
  readonly hook: Receiver;
  readonly webhookId: string;
  readonly program: string;
}

export let service: Running;

export const prepare = async () => {
  service = await running();
};

export const subscribed = async (): Promise<Subscribed> => {
  const [participant, hook] = [await service.newParticipant(), await receiver()];
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  const { body } = await participant.call(createWebhook, { body: { url: hook.url, events } });
  return { participant, hook, webhookId: body.id, program: await newProgram(service, [participant]) };
};

export const listOf = async (path: string, query = ""): Promise<Delivery[]> =>
  (await service.operator("GET", `${path}/deliveries${query}`)).body.items;

export const resend = (id: string) => service.operator(operator.resendDelivery, { params: { id } });
export const cancel = (id: string) =>
  service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });

/** The delivery of a dispatch's event to its only webhook, once this many attempts are recorded. */
export const attempted = async (dispatchId: string, count: number, event = "dispatch.create"): Promise<Delivery> => {
  const found = async () => (await listOf(`/dispatches/${dispatchId}`)).find((delivery) => delivery.event === event);
  await expect.poll(async () => (await found())?.attempts.length).toBe(count);
  return (await found()) as Delivery;
};

/** A dispatch whose only delivery is in the state after its first attempt. */
export const delivered = async (
  { hook, program }: Subscribed,
  answer = 200,
): Promise<Delivery & { dispatchId: string }> => {
  hook.answer = answer;
  const { id: dispatchId } = await newDispatch(service, program);
  return { ...(await attempted(dispatchId, 1)), dispatchId };
};
