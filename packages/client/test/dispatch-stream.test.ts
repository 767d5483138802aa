import type { ServerResponse } from "node:http";
import { wireDispatch } from "@curtail/testing/wire-forms";
import { expect, test } from "vitest";
import { systemClock } from "../src/clock.js";
import { type DispatchEvent, type StreamOptions, streamDispatches } from "../src/dispatch-stream.js";
import { type ErrorResponse, NoResponse } from "../src/failure.js";
import { followDispatches } from "../src/follow-dispatches.js";
import type { Participant } from "../src/participant.js";
import { FakeClock } from "./support/fake-clock.js";
import { StreamServer } from "./support/stream-server.js";

const following = async (options: StreamOptions = {}, changes: Partial<Participant> = {}) => {
  const server = await StreamServer.started();
  const failures: Array<ErrorResponse | NoResponse | null> = [];
  const participant = { ...server.participant, ...changes };
  const onConnection = (failure: ErrorResponse | NoResponse | null) => void failures.push(failure);
  const events = streamDispatches(participant, { onConnection, ...options });
  return { server, events, failures };
};

/** An event as a short text. */
const word = ({ value }: IteratorResult<DispatchEvent>): string =>
  value.type === "snapshot" ? `snapshot of ${value.data.dispatches.length}` : `${value.type} ${value.data.id}`;

test("events are yielded as they arrive, and leaving the loop closes the connection", async () => {
  const { server, events, failures } = await following();
  const first = events.next();
  await server.opened();
  server.tell("snapshot", { dispatches: [wireDispatch("a")], page: 0, perPage: 0 });
  expect(word(await first)).toBe("snapshot of 1");
  server.tell("dispatch", wireDispatch("b"));
  expect(word(await events.next())).toBe("dispatch b");
  await events.return(undefined as never);
  await server.opened(0);
  expect(failures).toEqual([null]);
  const [request] = server.requested("/dispatches/stream");
  expect(request?.headers).toMatchObject({ "x-service-api-key": "ctp_1" });
  expect(request?.headers).not.toHaveProperty("last-event-id");
});

const isTimeRecorded = (waits: readonly number[]): Partial<Participant> => ({
  clock: { ...systemClock, sleep: async (ms) => void (waits as number[]).push(ms) },
  random: () => 0.5,
});

test("a connection that ends is made again after the time that the service asks for, and continues after the last event", async () => {
  const waits: number[] = [];
  const { server, events, failures } = await following({}, isTimeRecorded(waits));
  const first = events.next();
  await server.opened();
  server.tell("dispatch", wireDispatch("a"), "1.xyz");
  await first;
  const second = events.next();
  for (const stream of server.streams) stream.end("id: lost\nevent: dispatch\n");
  await expect.poll(() => server.requested("/dispatches/stream").length).toBe(2);
  await server.opened();
  server.tell("dispatch", wireDispatch("b"));
  expect(word(await second)).toBe("dispatch b");
  expect(server.requested("/dispatches/stream")[1]?.headers["last-event-id"]).toBe("1.xyz");
  expect(waits).toEqual([1.5]);
  expect(failures.map((failure) => failure?.message ?? null)).toEqual([
    null,
    "GET /dispatches/stream: the response ended",
    null,
  ]);
  await events.return(undefined as never);
});

test("a connection that is cut is made again", async () => {
  const { server, events, failures } = await following();
  const first = events.next();
  await server.opened();
  for (const stream of server.streams) stream.destroy();
  await expect.poll(() => server.requested("/dispatches/stream").length).toBe(2);
  await server.opened();
  server.tell("dispatch", wireDispatch("a"));
  expect(word(await first)).toBe("dispatch a");
  expect(failures[1]).toBeInstanceOf(NoResponse);
  expect(failures[1]?.cause).toBeInstanceOf(TypeError);
  await events.return(undefined as never);
});

const EVENTS = { "content-type": "text/event-stream" };

test.for([
  ["before the response", () => {}],
  ["after its headers", (response: ServerResponse): void => response.writeHead(200, EVENTS).flushHeaders()],
  ["after an event", (response: ServerResponse): void => void response.writeHead(200, EVENTS).write(": here\n\n")],
] as const)("a connection that is silent %s is broken", async ([, answer]) => {
  const stop = new AbortController();
  const { server, events, failures } = await following({ silenceMs: 50, signal: stop.signal }, isTimeRecorded([]));
  server.answer = answer;
  const first = events.next();
  // It is made again at once, and may be broken again before the next look.
  await expect.poll(() => server.requests.length).toBeGreaterThan(1);
  stop.abort(new Error("seen"));
  await expect(first).rejects.toThrow("seen");
  expect(failures.filter((failure) => failure !== null)[0]?.message).toBe(
    "GET /dispatches/stream: no response for 50 ms",
  );
});

test("whoever handles an event slowly is not silent", async () => {
  const { server, events, failures } = await following({ silenceMs: 100 });
  const first = events.next();
  await server.opened();
  server.tell("dispatch", wireDispatch("a"));
  await first;
  await systemClock.sleep(300);
  server.tell("dispatch", wireDispatch("b"));
  expect(word(await events.next())).toBe("dispatch b");
  expect(failures).toEqual([null]);
  await events.return(undefined as never);
});

test("delays double while no connection lasts, are random, and keep a Retry-After", async () => {
  const waits: number[] = [];
  const { server, events } = await following({}, isTimeRecorded(waits));
  server.answer = (response) => {
    const { length } = server.requests;
    if (length === 3) response.writeHead(429, { "retry-after": "60" }).end("{}");
    else if (length < 11) response.writeHead(503).end("{}");
    else response.writeHead(404).end("{}");
  };
  await expect(events.next()).rejects.toMatchObject({ status: 404 });
  expect(waits.map((ms) => ms / 1500)).toEqual([1, 2, 60, 8, 16, 32, 64, 128, 150, 150]);
});

test.for([
  [404, { "content-type": "application/json" }, '{"message":"not found"}'],
  [401, {}, ""],
  [200, { "content-type": "text/html" }, "<p>sign in"],
] as const)("a response %s %j ends the iteration", async ([status, headers, body]) => {
  const { server, events } = await following();
  server.answer = (response) => response.writeHead(status, headers).end(body);
  await expect(events.next()).rejects.toMatchObject({ name: "ErrorResponse", status });
});

test("an aborted signal ends the iteration and the connection", async () => {
  const stop = new AbortController();
  const { server, events } = await following({ signal: stop.signal });
  const first = events.next();
  await server.opened();
  stop.abort(new Error("shutting down"));
  await expect(first).rejects.toThrow("shutting down");
  await server.opened(0);
});

test("a service without a stream is asked again some minutes later, and followed once it has one", async () => {
  const server = await StreamServer.started();
  server.answer = (response) => {
    if (server.requests.length < 3) response.writeHead(404).end("{}");
    else server.open(response);
  };
  const clock = new FakeClock();
  const stop = new AbortController();
  let events = 0;
  const connections: boolean[] = [];
  const followed = followDispatches(
    { ...server.participant, clock, random: () => 0.5 },
    {
      signal: stop.signal,
      onEvent: () => void events++,
      onConnection: (isOpen) => void connections.push(isOpen),
    },
  );
  await server.opened();
  server.tell("dispatch", wireDispatch("a"));
  await expect.poll(() => events).toBe(1);
  expect(clock.waits).toEqual([450_000, 450_000]);
  expect(connections).toEqual([false, false, true]);
  stop.abort();
  await followed;
});
