import { beforeAll, expect, test } from "vitest";
import { newDispatch, newProgram } from "../support/dispatching.js";
import { type Running, running } from "../support/running.js";
import { listeningToVens, type TestVen } from "../support/vens.js";

let service: Running;
let ven: TestVen;
let newVen: () => Promise<TestVen>;

beforeAll(async () => {
  service = await running();
  const vens = await listeningToVens(service);
  const anna = await service.newParticipant();
  newVen = () => vens.newVen(anna);
  ven = await newVen();
  const { id } = await newDispatch(service, await newProgram(service, [anna]));
  await service.made("PATCH", `/dispatches/${id}`, {
    start_time: new Date(service.clock.now().getTime() + 60_000).toISOString(),
  });
});

const untilServed = () => expect.poll(async () => (await ven.request()).status, { timeout: 15_000 }).toBe(200);

const shown = async (): Promise<unknown> =>
  (await ven.events()).map(({ descriptor }) => [
    descriptor.eventId,
    descriptor.modificationNumber,
    descriptor.priority,
  ]);

test("rule 16: without a database a VEN is answered 503, and afterwards the same event as before", async () => {
  const before = await shown();
  expect(before).toHaveLength(1);
  await service.database.cutOff();
  for (let poll = 0; poll < 3; poll++) expect(await ven.request()).toMatchObject({ status: 503, text: "" });
  await service.database.letIn();
  await untilServed();
  expect(await shown()).toEqual(before);
});

test("rule 16: a database that does not answer is a 503 within 10 seconds", async () => {
  const before = await shown();
  const unseen = await newVen();
  const locking = await service.database.pool.connect();
  await locking.query("begin");
  await locking.query("lock table dispatches in access exclusive mode");
  const startedMs = performance.now();
  const replies = await Promise.all([unseen, ven, ven, ven, ven].map((each) => each.request()));
  expect(replies.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  await locking.query("rollback");
  locking.release();
  await untilServed();
  expect(await shown()).toEqual(before);
  // What it was not told, it does not count as shown.
  const { items } = await service.made<{ items: unknown[] }>("GET", `/vens/${unseen.ven.id}/events`);
  expect(items).toEqual([]);
});

test("what cannot be recorded is not shown: a new event waits, 503, until the database can write again", async () => {
  const { rows } = await service.database.pool.query("delete from ven_events where ven = $1 returning *", [ven.ven.id]);
  expect(rows).toHaveLength(1);
  await service.database.reconnectReadOnly(true);
  expect((await ven.request()).status).toBe(503);
  await service.database.reconnectReadOnly(false);
  await untilServed();
});

test("a poll that brings nothing new writes nothing of its own", async () => {
  await ven.poll();
  await service.database.reconnectReadOnly(true);
  await untilServed();
  for (let poll = 0; poll < 5; poll++) await ven.poll();
  await service.database.reconnectReadOnly(false);
});

test("when a VEN polled last is noted within seconds", async () => {
  await untilServed();
  service.clock.advance({ seconds: 1 });
  const at = service.clock.now();
  await ven.poll();
  const lastPoll = async (): Promise<unknown> =>
    (await service.database.pool.query("select last_poll_at from vens where id = $1", [ven.ven.id])).rows[0]
      ?.last_poll_at;
  await expect.poll(lastPoll, { timeout: 10_000 }).toEqual(at);
});
