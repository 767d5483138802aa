import type { ServerResponse } from "node:http";
import { createWebhook } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { afterEach, beforeAll, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import type { Answer } from "../../support/http-client.js";
import { type Participant, type Running, running } from "../../support/running.js";

const HANGING_REGISTRATIONS = 300;
/** The most that one account may have (G34). */
const WEBHOOKS = 20;
/** The most that one webhook may have in flight (G32). */
const DISPATCHES = 4;

let service: Running;
/** A relay's host: requests with `hang` in the path are never answered, all others are. */
let relay: Receiver;
let held: ServerResponse[];

const isHanging = ({ req }: ServerResponse): boolean => req.url?.includes("hang") === true;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
  relay = await receiver();
  held = [];
  relay.answer = (response) => {
    if (isHanging(response)) held.push(response);
    else response.writeHead(200).end();
  };
});

afterEach(() => answerHeld());

const events = [{ name: "dispatch.create" as const }];
const register = (participant: Participant, path: string): Promise<Answer> =>
  participant.call(createWebhook, { body: { url: relay.url.replace("/hook", path), events } });

const answerHeld = (): void => {
  for (const response of held.splice(0)) response.writeHead(200).end();
};

/** By SQL, because an address that does not answer cannot be registered. */
const insertHanging = async ({ accountId }: Participant): Promise<void> => {
  const url = relay.url.replace("/hook", `/hang/${accountId}`);
  await service.database.pool.query(
    `insert into webhooks (id, account_id, url, events, secret, created_at)
     select 'wh_hang_' || $1 || n, $1, $2 || '/' || n, '{dispatch.create}', $3, now() from generate_series(1, $4::int) as n`,
    [accountId, url, `whsec_${Buffer.alloc(32, 7).toString("base64")}`, WEBHOOKS],
  );
};

const hangingAttempts = async (): Promise<number> => {
  const sql = `select count(*) as count from message_attempts join messages on messages.id = message_id
    where recipient like 'wh_hang_%'`;
  return (await service.database.pool.query<{ count: number }>(sql)).rows[0]?.count ?? Number.NaN;
};

test("a notice is sent beside 300 registrations that hang at the same host, and more than the bound are refused", async () => {
  const [anna, mallory] = [await service.newParticipant(), await service.newParticipant()];
  expect((await register(anna, "/live")).status).toBe(200);
  const program = await newProgram(service, [anna]);
  const answers: Answer[] = [];
  const registering = Array.from({ length: HANGING_REGISTRATIONS }, async (_, index) => {
    answers.push(await register(mallory, `/hang/${index}`));
  });
  // The most that one account may have in flight; the others are refused at once.
  await expect.poll(() => [held.length, answers.length]).toEqual([32, HANGING_REGISTRATIONS - 32]);
  for (const answer of answers) expectError(answer, 429, /test requests/);
  await newDispatch(service, program);
  await relay.notices(1);
  expect(held).toHaveLength(32);
  // Another account registers meanwhile.
  expect((await register(await service.newParticipant(), "/other")).status).toBe(200);
  expect(answers).toHaveLength(HANGING_REGISTRATIONS - 32);
  answerHeld();
  await Promise.all(registering);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(WEBHOOKS);
});

test("a notice is sent beside the hanging webhooks of two accounts at the same host, before one of them has ended", async () => {
  const [ben, carl, dora] = [
    await service.newParticipant(),
    await service.newParticipant(),
    await service.newParticipant(),
  ];
  for (const participant of [ben, carl]) await insertHanging(participant);
  const hanging = await newProgram(service, [ben, carl]);
  for (let count = 0; count < DISPATCHES; count++) await newDispatch(service, hanging);
  await expect.poll(() => held.length).toBe(2 * WEBHOOKS * DISPATCHES);
  expect((await register(dora, "/live")).status).toBe(200);
  const before = (await relay.notices(0)).length;
  await newDispatch(service, await newProgram(service, [dora]));
  await relay.notices(before + 1);
  expect(await hangingAttempts()).toBe(0);
});
