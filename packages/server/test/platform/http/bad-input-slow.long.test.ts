import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { head, open, untilClosed } from "../../support/raw-request.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { serverAt } from "../../support/server-side.js";

// Shortened from ten and fifteen seconds.
const HEADERS_SECONDS = 1;
const IDLE_SECONDS = 1.5;
// The service checks every second, and the machine may be busy.
const LEEWAY_SECONDS = 3;
const CROWD = 300;

let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
  anna = await service.newParticipant();
});

/** Reduces the service's time limits to a tenth. */
const hurry = (): void => {
  const server = serverAt(service.url);
  const { headersTimeout, timeout, keepAliveTimeout } = server;
  expect({ headersTimeout, timeout, keepAliveTimeout }).toEqual({
    headersTimeout: 10_000,
    timeout: 15_000,
    keepAliveTimeout: 15_000,
  });
  server.headersTimeout = HEADERS_SECONDS * 1000;
  server.timeout = server.keepAliveTimeout = IDLE_SECONDS * 1000;
};

/** Sends the bytes, then one byte ten times a second until the service closes the connection. */
const dripping = async (bytes: string, drip: string): Promise<number> => {
  const socket = await open(service.url);
  socket.write(bytes);
  const timer = setInterval(() => socket.write(drip), 100);
  const { seconds } = await untilClosed(socket);
  clearInterval(timer);
  return seconds;
};

/** Sends the bytes, then nothing. */
const silent = async (bytes: string): Promise<number> => {
  const socket = await open(service.url);
  if (bytes !== "") socket.write(bytes);
  return (await untilClosed(socket)).seconds;
};

const crowd = async (): Promise<number> => {
  const sockets: Socket[] = await Promise.all(Array.from({ length: CROWD }, () => open(service.url)));
  const closed = await Promise.all(sockets.map(untilClosed));
  return Math.max(...closed.map(({ seconds }) => seconds));
};

/** Duration in milliseconds of each request of another client, one after the other, until `isOver`. */
const latencies = async (isOver: () => boolean): Promise<number[]> => {
  const taken: number[] = [];
  while (!isOver()) {
    const started = performance.now();
    expect((await anna.call("GET", "/sites")).status).toBe(200);
    taken.push(performance.now() - started);
  }
  return taken.toSorted((a, b) => a - b);
};

test("B21: slow headers, idle sockets and idle bodies are cut in time, and others do not notice", async () => {
  hurry();
  const post = { "x-service-api-key": anna.key, "content-type": "application/json", "content-length": "1000" };
  const path = "/2022-04-15/telemetry";
  const keptAlive = head("GET", "/healthz", { connection: "keep-alive" });
  const attacks = Promise.all([
    dripping("GET /2022-04-15/sites HTTP/1.1\r\nhost: x\r\nx-slow: ", "a"),
    silent("GET /2022-04-15/sites HTTP/1.1\r\n"),
    silent(""),
    silent(`${head("POST", path, post)}{`),
    silent(keptAlive),
    crowd(),
  ]);
  let isOver = false;
  void attacks.finally(() => (isOver = true));
  const [taken, [slowHeaders, halfHeaders, ...idle]] = await Promise.all([latencies(() => isOver), attacks]);
  for (const seconds of [slowHeaders, halfHeaders]) expect(seconds).toBeLessThan(HEADERS_SECONDS + LEEWAY_SECONDS);
  for (const seconds of idle) expect(seconds).toBeLessThan(IDLE_SECONDS + LEEWAY_SECONDS);
  expect(taken[Math.floor(taken.length * 0.99)]).toBeLessThan(1000);
}, 60_000);

test("a connection on which nothing was sent is closed without an answer, half a request with one", async () => {
  Object.assign(serverAt(service.url), { headersTimeout: HEADERS_SECONDS * 1000, timeout: 15_000 });
  const unused = await open(service.url);
  const half = await open(service.url);
  half.write("GET /healthz HTTP/1.1\r\n");
  const [nothing, answer] = await Promise.all([untilClosed(unused), untilClosed(half)]);
  expect(nothing.head).toBe("");
  expect([answer.status, answer.body.message]).toEqual([400, "the request did not arrive in time"]);
});

test("a request that is worked on for longer than a connection may be idle is answered", async () => {
  serverAt(service.url).timeout = IDLE_SECONDS * 1000;
  const holder = await service.database.pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query("begin; lock table sites in access exclusive mode");
  const answer = anna.call("GET", "/sites");
  await sleep(2 * IDLE_SECONDS * 1000);
  await holder.query("rollback");
  expect((await answer).status).toBe(200);
}, 30_000);
