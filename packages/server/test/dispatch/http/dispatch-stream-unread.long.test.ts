import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { listDispatches } from "@curtail/contract";
import { beforeAll, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { openStreamAt } from "../../support/event-stream.js";
import { open } from "../../support/raw-request.js";
import { type Participant, type Running, running } from "../../support/running.js";

// A reader that stops reading, with more to read than connections hold.
const SITES = 5000;
const PATH = "/2022-04-15/dispatches/stream";

let service: Running;
let anna: Participant;
let programId: string;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
  programId = await newProgram(service, [anna]);
  await service.database.pool.query(
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     select 'site_' || n, $1, repeat('x', 200), '', '', 'UTC', now() from generate_series(1, ${SITES}) as n`,
    [anna.accountId],
  );
});

const issueLarge = () =>
  newDispatch(service, programId, {
    sites: Array.from({ length: SITES }, (_, index) => ({ site_id: `site_${index + 1}` })),
  });

// Half a minute of it waits.
test("a reader that does not read is closed, and nothing is kept for it; others are sent everything", {
  timeout: 120_000,
}, async () => {
  for (let count = 0; count < 9; count++) await issueLarge();
  const whole = Buffer.byteLength((await anna.call(listDispatches)).text);
  expect(whole).toBeGreaterThan(10_000_000);
  const socket = await open(service.url);
  socket.write(`GET ${PATH} HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${anna.key}\r\n\r\n`);
  await once(socket, "data");
  socket.pause();
  const closed = once(socket, "close");
  const reading = await openStreamAt(service.url + PATH, { "x-service-api-key": anna.key });
  expect((await reading.next())?.data.dispatches).toHaveLength(9);
  const { id } = await issueLarge();
  expect((await reading.next())?.data.id).toBe(id);
  reading.close();
  // A connection over which nothing moves is cut after 15 seconds, or 30 if something had moved since it was set up.
  await sleep(33_000);
  let received = 0;
  socket.on("data", (chunk) => (received += chunk.length));
  socket.resume();
  await closed;
  expect(received).toBeLessThan(whole);
});
