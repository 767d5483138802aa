import { setTimeout as sleep } from "node:timers/promises";
import { type Sent, watchTurns } from "./main-thread.js";

export interface TimedAnswer {
  readonly status: number;
  readonly text: string;
  /** The longest that the event loop, shared by service and client, worked without yielding. */
  readonly blockedMs: number;
}

const TRIES = 5;

/**
 * Sends a request, and repeats it while it blocks the event loop for too long: garbage collection affects any request
 * now and then, but the work of the request itself affects it each time.
 */
export const sendTimed = async (url: string, request: Sent, mostBlockedMs: number): Promise<TimedAnswer> => {
  let answer = await sendOnce(url, request);
  for (let tries = 1; answer.blockedMs >= mostBlockedMs && tries < TRIES; tries++)
    answer = await sendOnce(url, request);
  return answer;
};

const sendOnce = async (url: string, { method, headers, body }: Sent): Promise<TimedAnswer> => {
  // Created before it is timed, because it is the client's work.
  const bytes = typeof body === "string" ? Buffer.from(body) : (body ?? null);
  // Meanwhile a connection that was kept may have been idle for too long: it is closed now, not while it is used.
  await sleep(10);
  const longestTurnMs = watchTurns();
  const response = await fetch(url, {
    method,
    redirect: "manual",
    headers: { "content-type": "application/json", ...headers },
    body: bytes,
  });
  const text = await response.text();
  return { status: response.status, text, blockedMs: longestTurnMs() };
};
