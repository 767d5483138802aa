import type { ServerResponse } from "node:http";
import { createWebhook, operator, participantConsole } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { expect } from "vitest";
import { newDispatch, newProgram } from "./dispatching.js";
import type { Browser } from "./people.js";
import { type Running, running } from "./running.js";

type Attempt = operator.Delivery["attempts"][number];

export let service: Running;

export const prepare = async () => {
  service = await running();
};

export const saying =
  (status: number, type: string | null, body: string | Buffer) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, type === null ? {} : { "content-type": type }).end(body);

export const subscribed = async () => {
  const [participant, hook] = [await service.newParticipant(), await receiver()];
  const events = [{ name: "dispatch.create" as const }];
  const { body } = await participant.call(createWebhook, { body: { url: hook.url, events } });
  return { participant, hook, webhookId: body.id, program: await newProgram(service, [participant]) };
};

export const deliveriesOf = async (id: string) =>
  (await service.operator(operator.listWebhookDeliveries, { params: { id } })).body.items;

/** The only attempt of the only delivery to a webhook, once it is recorded. */
export const attemptTo = async (webhookId: string): Promise<Attempt> => {
  await expect.poll(async () => (await deliveriesOf(webhookId))[0]?.attempts.length).toBe(1);
  return (await deliveriesOf(webhookId))[0]?.attempts[0] as Attempt;
};

export const answered = async (
  type: string | null,
  body: string | Buffer,
  status = 500,
): Promise<Attempt["response"]> => {
  const { hook, webhookId, program } = await subscribed();
  hook.answer = saying(status, type, body);
  await newDispatch(service, program);
  return (await attemptTo(webhookId)).response;
};

export const byPerson = async (person: Browser, id: string) =>
  (await person.console(participantConsole.listOwnWebhookDeliveries, { params: { id } })).body.items;
