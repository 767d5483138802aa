import { operator } from "@curtail/contract";
import type { Event } from "@curtail/openadr";
import { expect } from "vitest";
import { newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";
import { listeningToVens, type TestVen, type Vens } from "./vens.js";

export let service: Running;
export let vens: Vens;

export const prepare = async () => {
  service = await running();
  vens = await listeningToVens(service);
};

interface Scene {
  readonly anna: Participant;
  readonly ven: TestVen;
  readonly programId: string;
}

export const scene = async (sites?: readonly (readonly string[])[]): Promise<Scene> => {
  const anna = await service.newParticipant(sites === undefined ? {} : { sites });
  return { anna, ven: await vens.newVen(anna), programId: await newProgram(service, [anna]) };
};

export const patch = (id: string, body: Readonly<Record<string, unknown>>) =>
  service.made(operator.changeDispatch, { params: { id }, body });
export const idsOf = (events: readonly Event[]): string[] => events.map(({ descriptor }) => descriptor.eventId);
export const only = (events: readonly Event[]): Event => {
  expect(events).toHaveLength(1);
  const [event] = events;
  if (event === undefined) throw new Error("there is no event");
  return event;
};
export const statuses = async (ven: TestVen): Promise<string[]> =>
  (await ven.events()).map(({ descriptor }) => `${descriptor.status} ${descriptor.modificationNumber}`);
