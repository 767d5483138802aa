import { setTimeout } from "node:timers/promises";
import { listDispatches } from "@curtail/contract";
import { expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { newPerson, PASSWORD, trySignIn } from "../../support/people.js";
import { running } from "../../support/running.js";

const service = await running({ CURTAIL_RATE_LIMIT_DISPATCHES: "40", CURTAIL_RATE_LIMIT: "40" });
const second = await service.another();

/** Asks again until the other process has been told. */
const until = (isSo: () => Promise<boolean>): Promise<void> =>
  expect.poll(isSo, { timeout: 30_000, interval: 50 }).toBe(true);

test("requests with a key at one process count at the other", async () => {
  const anna = await service.newParticipant();
  const there = httpClient(`${second}/2022-04-15`, { "x-service-api-key": anna.key });
  for (let sent = 0; sent < 20; sent++) expect((await anna.call(listDispatches)).status).toBe(200);
  let sent = 0;
  await until(async () => {
    sent += 1;
    return (await there("GET", "/dispatches")).headers.get("x-ratelimit-remaining") === String(20 - sent);
  });
  while ((await there("GET", "/dispatches")).status === 200) sent += 1;
  expect(sent).toBeLessThanOrEqual(20);
  await until(async () => (await anna.call(listDispatches)).status === 429);
});

test("failing keys at one process bar an address at the other, but no good key", async () => {
  const failing = httpClient(`${service.url}/2022-04-15`);
  const wrong = (send: typeof failing, name: string) => send("GET", "/sites", undefined, { "x-service-api-key": name });
  for (let attempt = 0; attempt < 100; attempt++) expectError(await wrong(failing, `wrong-${attempt}`), 401);
  const there = httpClient(`${second}/2022-04-15`);
  await until(async () => (await wrong(there, "wrong")).status === 429);
  const bert = await service.newParticipant();
  const well = httpClient(`${second}/2022-04-15`, { "x-service-api-key": bert.key });
  expect((await well("GET", "/sites")).status).toBe(200);
});

test("ten wrong passwords at one process bar the next sign-in at the other, and a success there counts here", async () => {
  service.clock.advance({ hours: 1 });
  const ann = await newPerson(service, "operator");
  const there = { ...service, url: second };
  const tried = (at: typeof service, password: string) => trySignIn(at, { email: ann.email, password });
  for (let attempt = 0; attempt < 9; attempt++) expectError(await tried(service, "wrong"), 401);
  expect((await tried(there, PASSWORD)).status).toBe(200);
  await until(async () => {
    for (let attempt = 0; attempt < 10; attempt++) await tried(service, "wrong");
    // A success before the words arrive would clear the failures.
    await setTimeout(200);
    return (await tried(there, PASSWORD)).status === 429;
  });
});
