import { readFileSync } from "node:fs";
import { type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";

export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

export interface OutsideAnswer {
  readonly status: number;
  readonly text: string;
}

export interface WatchedAnswer extends OutsideAnswer {
  /** Longest turn of the service's event loop. */
  readonly longestMs: number;
}

/**
 * Sends a request from another thread, and times the turns of the event loop by the processor time of the main thread:
 * neither a busy machine, other threads nor the client count. Without Linux by the clock.
 */
export const watchedRequest = async (url: string, sent: Sent): Promise<WatchedAnswer> => {
  const answering = sendOutside(url, sent);
  const longestMs = watchTurns();
  try {
    const answer = await answering;
    return { ...answer, longestMs: await longestMs() };
  } catch (error) {
    await longestMs();
    throw error;
  }
};

/** What else runs in the service falls into any turn now and then, the work of a request into each try. */
const TRIES = 4;

/** Repeats a request while a turn takes too long; returns the answer whose longest turn was the shortest. */
export const leastWatched = async (mostMs: number, send: () => Promise<WatchedAnswer>): Promise<WatchedAnswer> => {
  let best = await send();
  for (let tries = 1; best.longestMs >= mostMs && tries < TRIES; tries++) {
    const next = await send();
    if (next.longestMs < best.longestMs) best = next;
  }
  return best;
};

interface Waiting {
  readonly resolve: (answer: OutsideAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** One for all requests: starting a thread and loading `fetch` in it takes longer than most of them. */
let client: Worker | undefined;
const waiting = new Map<number, Waiting>();
let lastId = 0;

const sendOutside = (url: string, sent: Sent): Promise<OutsideAnswer> =>
  new Promise((resolve, reject) => {
    const id = ++lastId;
    waiting.set(id, { resolve, reject });
    client ??= startedClient();
    client.postMessage({ id, url, ...sent }, []);
  });

const startedClient = (): Worker => {
  const thread = new Worker(CLIENT, { eval: true, env: {}, execArgv: [] });
  thread.on("message", ({ id, error, ...answer }: OutsideAnswer & { readonly id: number; readonly error?: Error }) => {
    if (error === undefined) waiting.get(id)?.resolve(answer);
    else waiting.get(id)?.reject(error);
    waiting.delete(id);
  });
  // The process may end with it.
  thread.unref();
  return thread;
};

const CLIENT = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ id, url, method, headers, body }) => {
  fetch(url, { method, headers, body, redirect: "manual" }).then(
    async (answer) => parentPort.postMessage({ id, status: answer.status, text: await answer.text() }),
  ).catch((error) => parentPort.postMessage({ id, error }));
});`;

/** Work of the main thread between two looks. */
interface Turn {
  readonly from: Look;
  readonly to: Look;
}

interface Look {
  readonly processorMs: number;
  readonly clockMs: number;
}

/** Shorter ones are not kept. */
const KEPT_MS = 5;

/**
 * Times the turns of the event loop in processor time of the main thread: what other threads work while it waits for a busy
 * machine is none of it, nor is the collection of garbage, which takes as long as the tests before left things behind. A check
 * each millisecond sees every longer turn; one at every turn would keep an idle processor busy.
 */
export const watchTurns = (): (() => Promise<number>) => {
  const turns: Turn[] = [];
  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  let [from, isOver] = [lookNow(), false];
  const look = (): void => {
    const to = lookNow();
    if (to.processorMs - from.processorMs >= KEPT_MS) turns.push({ from, to });
    from = to;
    if (!isOver) setTimeout(look, 1);
  };
  look();
  return async () => {
    isOver = true;
    look();
    // Collections are told of after the turn that they fell into.
    await nextTurn();
    await nextTurn();
    collections.push(...observer.takeRecords());
    observer.disconnect();
    return Math.max(0, ...turns.map((turn) => workOf(turn, collections)));
  };
};

const lookNow = (): Look => ({ processorMs: mainThreadMs(), clockMs: performance.now() });

/** Collections are timed by the clock: of the processor's time they had the same share. */
const workOf = ({ from, to }: Turn, collections: readonly PerformanceEntry[]): number => {
  const clockMs = to.clockMs - from.clockMs;
  const collectingMs = collections
    .filter(({ startTime }) => startTime >= from.clockMs && startTime < to.clockMs)
    .reduce((sum, { duration }) => sum + duration, 0);
  return (to.processorMs - from.processorMs) * (1 - Math.min(1, collectingMs / clockMs));
};

const mainThreadMs = (): number => {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
};
