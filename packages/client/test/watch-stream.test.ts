import { wireDispatch } from "@curtail/testing/wire-forms";
import { expect, test } from "vitest";
import { type Clock, systemClock } from "../src/clock.js";
import type { DispatchChange } from "../src/index.js";
import { type WatchOptions, watchDispatches } from "../src/watch-dispatches.js";
import { StreamServer } from "./support/stream-server.js";

const HOUR_MS = 3_600_000;
const hoursAhead = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
const later = { start_time: hoursAhead(1), end_time: hoursAhead(2) };

const word = ({ value }: IteratorResult<DispatchChange>): string =>
  `${value.type} ${value.dispatch.id} ${value.dispatch.modification_number}`;

/** The pause after an event, and delays before a new connection, are over at once. */
const hurried: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms > 2_000 ? ms : 0, signal) };

/** A watch that would poll again in an hour, after its first change. */
const watching = async (options: WatchOptions = {}) => {
  const server = await StreamServer.started();
  server.dispatches = [wireDispatch("a", later)];
  const watch = watchDispatches({ ...server.participant, clock: hurried }, { intervalMs: HOUR_MS, ...options });
  expect(word(await watch.next())).toBe("created a 0");
  return { server, watch };
};

test("a change that the stream announces is yielded at once, as the list has it", async () => {
  const { server, watch } = await watching();
  await server.opened();
  const changed = watch.next();
  const longer = wireDispatch("a", { ...later, end_time: hoursAhead(3), modification_number: 1 });
  server.dispatches = [longer];
  server.tell("dispatch", longer);
  expect(word(await changed)).toBe("changed a 1");
  server.dispatches = [{ ...longer, authorized: false, modification_number: 2 }];
  // What an event carries is not what is yielded: a GET must follow, so that the account counts as notified.
  server.tell("dispatch", longer);
  expect(word(await watch.next())).toBe("cancelled a 2");
  expect(server.requested("/dispatches").length).toBeGreaterThanOrEqual(3);
  await watch.return(undefined as never);
  await server.opened(0);
});

test("what was yielded is not yielded again, however often the stream repeats it", async () => {
  const { server, watch } = await watching();
  await server.opened();
  const next = watch.next();
  server.tell("snapshot", { dispatches: server.dispatches, page: 0, perPage: 0 });
  await expect.poll(() => server.requested("/dispatches").length).toBe(2);
  server.tell("dispatch", server.dispatches[0]);
  await expect.poll(() => server.requested("/dispatches").length).toBe(3);
  server.dispatches = [...server.dispatches, wireDispatch("b", later)];
  server.tell("dispatch", wireDispatch("b", later));
  expect(word(await next)).toBe("created b 0");
  await watch.return(undefined as never);
});

test("what changed while the stream was broken is yielded when it continues", async () => {
  const { server, watch } = await watching();
  await server.opened();
  const next = watch.next();
  server.dispatches = [...server.dispatches, wireDispatch("b", later)];
  server.answer = (response) => {
    server.open(response);
    server.tell("dispatch", wireDispatch("b", later));
  };
  for (const stream of server.streams) stream.destroy();
  expect(word(await next)).toBe("created b 0");
  await watch.return(undefined as never);
});

test.for([404, 500] as const)("without a stream (%d) it polls", async (status) => {
  const server = await StreamServer.started();
  server.answer = (response) => response.writeHead(status).end("{}");
  server.dispatches = [wireDispatch("a", later)];
  const watch = watchDispatches(server.participant, { intervalMs: 20 });
  expect(word(await watch.next())).toBe("created a 0");
  server.dispatches = [wireDispatch("a", { ...later, end_time: null, modification_number: 1 })];
  expect(word(await watch.next())).toBe("changed a 1");
  await watch.return(undefined as never);
});

test("with `stream: false` none is opened", async () => {
  const { server, watch } = await watching({ stream: false, intervalMs: 20 });
  server.dispatches = [wireDispatch("a", { ...later, end_time: null, modification_number: 1 })];
  expect(word(await watch.next())).toBe("changed a 1");
  expect(server.requested("/dispatches/stream")).toEqual([]);
  await watch.return(undefined as never);
});

test("an aborted signal closes the stream, also while a change is being handled", async () => {
  const stop = new AbortController();
  const { server, watch } = await watching({ signal: stop.signal });
  await server.opened();
  stop.abort(new Error("shutting down"));
  await server.opened(0);
  await expect(watch.next()).rejects.toThrow("shutting down");
});

/** A watch in a time that stands still: only the stream wakes it. Its waits, the last of them under way. */
const standingStill = async () => {
  const server = await StreamServer.started();
  const waits: number[] = [];
  const stop = new AbortController();
  const clock = {
    now: () => 0,
    sleep: (ms: number, signal?: AbortSignal) => {
      waits.push(ms);
      return systemClock.sleep(HOUR_MS, signal);
    },
  };
  const watch = watchDispatches({ ...server.participant, clock }, { intervalMs: 5000, signal: stop.signal });
  const watched = expect(watch.next()).rejects.toThrow("seen");
  const stopped = () => {
    stop.abort(new Error("seen"));
    return watched;
  };
  await expect.poll(() => waits).toContain(30_000);
  return { server, waits, stopped };
};

test("while the stream is open polls are 30 seconds apart, and at least half a second after an event", async () => {
  const { server, waits, stopped } = await standingStill();
  server.tell("dispatch", wireDispatch("a", later));
  await expect.poll(() => waits.at(-1)).toBe(500);
  await stopped();
});

test("when the stream breaks, polls come as often as they do without", async () => {
  const { server, waits, stopped } = await standingStill();
  waits.length = 0;
  for (const stream of server.streams) stream.destroy();
  await expect.poll(() => waits).toContain(5000);
  await stopped();
});
