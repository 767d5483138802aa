import { createWebhook, operator } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { ahead, newDispatch, newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";

// A dispatch whose end lies before its creation is measured, and nobody is notified of it (G61).
export let service: Running;
export let anna: Participant;
export let programId: string;
export let hook: Receiver;

export const prepare = async () => {
  service = await running();
};

export const prepareEach = async () => {
  anna = await service.newParticipant({ name: "Anna" });
  programId = await newProgram(service, [anna]);
  hook = await receiver();
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  await anna.call(createWebhook, { body: { url: hook.url, events } });
};

export const yesterday = () => ({
  start_time: ahead(service, { hours: -25 }),
  end_time: ahead(service, { hours: -24 }),
});
export const body = (times: object) => ({ program_id: programId, ...times });
export const issue = (times: object) => service.operator("POST", "/dispatches", body(times));
export const recorded = async (): Promise<string> =>
  (await newDispatch(service, programId, { ...yesterday(), confirm_past: true })).id;
export const patch = (id: string, change: object) =>
  service.operator(operator.changeDispatch, { params: { id }, body: change });
export const found = async (id: string) => (await service.operator(operator.getAnyDispatch, { params: { id } })).body;
export const metadata = { market_reference: "MKT-17", "zone.name": "North" };
