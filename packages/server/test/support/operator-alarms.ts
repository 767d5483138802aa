import { deleteWebhook } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import type { About } from "./alarms.js";
import { ahead, newProgram } from "./dispatching.js";
import { type Running, running } from "./running.js";
import { subscribe } from "./unreachable.js";

export let service: Running;

export const prepare = async () => {
  service = await running();
};

export const stuck = (id: string): About => ({ kind: "mail_stuck", id });
export const left = (id: string, state?: About["state"]): About => ({ kind: "last_webhook_deleted", id, state });
export const now = (): string => ahead(service, {});

export const subscribed = async () => {
  const [participant, hook] = [await service.newParticipant(), await receiver()];
  const remove = (id: string) => participant.call(deleteWebhook, { params: { id } });
  const webhookId = await subscribe(participant, hook);
  return { participant, hook, webhookId, remove, program: await newProgram(service, [participant]) };
};
