import { expect } from "vitest";
import { expectError } from "./expect-error.js";
import { type Answer, httpClient } from "./http-client.js";
import { goodCall, type Named, namesOf, servedEndpoints } from "./participant-calls.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;
export let anna: Participant;
let named: Named;

export const prepare = async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
  anna = await service.newParticipant();
  const [start_time, end_time] = [1, 2].map((hours) => inHours(hours));
  const { body } = await anna.call("POST", "/dispatches", { start_time, end_time });
  named = namesOf(anna, body.id);
};

export const inHours = (hours: number): string =>
  new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();

/** Calls every endpoint once with only these headers. */
export const everyEndpoint = async (
  headers: Record<string, string>,
  endpoints = servedEndpoints,
): Promise<Answer[]> => {
  // A hundred failures a minute from one address are answered 429 (G9), so each row has its own minute.
  service.clock.advance({ minutes: 1 });
  const call = httpClient(`${service.url}/2022-04-15`, headers);
  const answers: Answer[] = [];
  for (const endpoint of endpoints) {
    const { method, path, body } = goodCall(endpoint, named, service.clock);
    answers.push(await call(method, path, body));
  }
  return answers;
};

export const expectDenied = async (headers: Record<string, string>): Promise<void> => {
  const before = await everythingStored();
  const answers = await everyEndpoint(headers);
  for (const answer of answers) expectError(answer, 401, /permission is denied|permission denied/i);
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(await everythingStored()).toEqual(before);
};

/** Row counts of what participants write, and the last use of keys. */
const everythingStored = async (): Promise<unknown> => {
  const { rows } = await service.database.pool.query(
    `select (select count(*) from dispatches) as dispatches, (select count(*) from availability_blocks) as blocks,
       (select count(*) from telemetry_hours) as hours, (select count(*) from controllable_load) as loads,
       (select count(*) from audit_log where actor like 'key:%' and action <> 'key.claim') as acts`,
  );
  return rows[0];
};

export const key = (value: string) => ({ "x-service-api-key": value });
