import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { SERVICE_CONNECTIONS } from "../../support/database.js";
import { expectError } from "../../support/expect-error.js";
import type { Answer } from "../../support/http-client.js";
import {
  cancelTests,
  goodCall,
  type Named,
  namesOf,
  repeatableEndpoints,
  servedEndpoints,
} from "../../support/participant-calls.js";
import { pointsOf } from "../../support/reading.js";
import { type Participant, type Running, running } from "../../support/running.js";

const OURS =
  /select|insert|update|relation|postgres|pg_|sql|127\.0\.0\.1|localhost|test_|fatal|\.js\b|\.ts\b|node:|\bat \w+ /i;

let service: Running;
let anna: Participant;
let named: Named;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
  anna = await service.newParticipant();
  const [start_time, end_time] = [1, 2].map((hours) =>
    new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString(),
  );
  named = namesOf(anna, (await anna.call("POST", "/dispatches", { start_time, end_time })).body.id);
});

const every = (
  endpoints: typeof servedEndpoints,
): Promise<Array<Answer & { readonly method: string; readonly seconds: number }>> =>
  Promise.all(
    endpoints.map(async (endpoint) => {
      const { method, path, body } = goodCall(endpoint, named, service.clock);
      const started = performance.now();
      const answer = await anna.call(method, path, body);
      return { ...answer, method, seconds: (performance.now() - started) / 1000 };
    }),
  );

const everyEndpoint = () => every(repeatableEndpoints);

const expectAllGood = async (): Promise<void> => {
  await cancelTests(service, anna);
  for (const answer of await everyEndpoint()) expect(answer.status).toBe(200);
};

const expectFailedSoon = (answer: Answer & { readonly seconds: number }): void => {
  expectError(answer, 500, /Reference [0-9a-f-]{36}$/);
  expect(answer.text).not.toMatch(OURS);
  expect(answer.headers.get("retry-after")).toBe("6");
  expect(answer.seconds).toBeLessThan(5);
};

/** All that the service may have, until the returned function is called, or the test is over. */
const holdConnections = async (): Promise<() => void> => {
  const held = await Promise.all(
    Array.from({ length: SERVICE_CONNECTIONS }, () => service.database.servicePool.connect()),
  );
  const release = (): void => {
    for (const client of held.splice(0)) client.release();
  };
  onTestFinished(release);
  return release;
};

describe("every endpoint", () => {
  test("B27: answers 500 without a word of ours while the database is away, and recovers by itself", async () => {
    await expectAllGood();
    await service.database.cutOff();
    for (const answer of await everyEndpoint()) expectFailedSoon(answer);
    // Now the key has to be looked up too.
    service.clock.advance({ seconds: 1 });
    for (const answer of await everyEndpoint()) expectFailedSoon(answer);
    const refused = await service.operator("GET", "/accounts");
    expectError(refused, 500);
    expect(refused.headers.get("retry-after")).toBe("6");
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    await service.database.letIn();
    await expectAllGood();
  });

  test("I30: answers 500 within 5 seconds when no connection is to be had", async () => {
    const release = await holdConnections();
    service.clock.advance({ seconds: 1 });
    for (const answer of await everyEndpoint()) expectFailedSoon(answer);
    release();
    await expectAllGood();
  });

  test("I30: uploads of one meter fail together when no connection is to be had, not one after the other", async () => {
    await expectAllGood();
    const release = await holdConnections();
    const upload = servedEndpoints.filter((endpoint) => endpoint.id === "uploadTelemetry");
    const answers = await Promise.all(Array.from({ length: 4 }, () => every(upload)));
    for (const answer of answers.flat()) expectFailedSoon(answer);
    release();
    await expectAllGood();
  });

  test("I30: never answers 200 to what a read-only database cannot store", async () => {
    await service.database.reconnectReadOnly(true);
    service.clock.advance({ minutes: 1 });
    for (const answer of await everyEndpoint()) {
      if (answer.method === "GET") expect(answer.status).toBe(200);
      else expectFailedSoon(answer);
    }
    await service.database.reconnectReadOnly(false);
    await expectAllGood();
  });
});

test("I29: an upload whose connection dies half way stores nothing, and its retry stores all once", async () => {
  const bert = await service.newParticipant();
  const { pool } = service.database;
  // The second part of an hour is an update: it waits for a lock that the test holds.
  await pool.query(`create function wait_for_test() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(29); return new; end $$`);
  await pool.query(
    "create trigger wait_for_test before update on telemetry_hours for each row execute function wait_for_test()",
  );
  const holder = await pool.connect();
  // The lock ends with the connection.
  onTestFinished(() => holder.release(true));
  await holder.query("select pg_advisory_lock(29)");
  const hour = Math.floor(service.clock.now().getTime() / 3_600_000 - 1) * 3_600_000;
  const telemetry = [60, 180, 300].map((seconds) => ({
    interval_seconds: 60,
    site_id: bert.sites[0]?.id,
    timestamp: new Date(hour + seconds * 1000).toISOString(),
    kW: seconds,
  }));
  const upload = bert.call("POST", "/telemetry", { telemetry });
  const waiting = "select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
  const pid = await vi.waitUntil(async () => (await pool.query(waiting)).rows[0]?.pid as number | undefined, 5000);
  await pool.query("select pg_terminate_backend($1)", [pid]);
  expectError(await upload, 500);
  await holder.query("select pg_advisory_unlock(29)");
  expect(await pointsOf(bert, service.clock.now())).toEqual([]);
  for (const _ of [1, 2]) expect((await bert.call("POST", "/telemetry", { telemetry })).body).toEqual({ received: 3 });
  expect((await pointsOf(bert, service.clock.now())).map(([, kw]) => kw)).toEqual([60, 60, 180, 180, 300, 300]);
});
