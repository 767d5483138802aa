import { operator as operatorContract } from "@curtail/contract";
import { expect } from "vitest";
import { ahead, newProgram } from "./dispatching.js";
import type { Answer } from "./http-client.js";
import { type Participant, type Running, running } from "./running.js";

// G57: a request with an Idempotency-Key is carried out once.
export let service: Running;
export let anna: Participant;
export let programId: string;

export const prepare = async () => {
  service = await running();
};

export const prepareEach = async () => {
  anna = await service.newParticipant();
  programId = await newProgram(service, [anna]);
};

let keys = 0;
export const newKey = (): string => `key-${++keys}`;
export const under = (key: string) => ({ "idempotency-key": key });

export const dispatchBody = () => ({ program_id: programId, start_time: ahead(service, { hours: 1 }), test: false });

export const issue = (key: string, body: object = dispatchBody()): Promise<Answer> =>
  service.operator("POST", "/dispatches", body, under(key));

export const testTimes = () => ({ start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) });

export const isReplayed = ({ headers }: Answer): boolean => headers.get("idempotency-replayed") === "true";

export const dispatchCount = async (): Promise<number> => {
  const { items } = (await service.operator(operatorContract.listAllDispatches, { query: { program_id: programId } }))
    .body;
  return items.length;
};

/** Sends it twice and expects the first answer again. */
export const expectOnce = async (send: () => Promise<Answer>): Promise<Answer> => {
  const [first, second] = [await send(), await send()];
  expect(first.status, first.text).toBeLessThan(300);
  expect(isReplayed(first)).toBe(false);
  expect(isReplayed(second)).toBe(true);
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  return first;
};
