export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

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

/**
 * Times the turns of the event loop in CPU time, so that a busy machine does not count. A check each millisecond sees
 * every longer turn; a check at every turn would keep the processor busy while idle.
 */
const watchTurns = (): (() => number) => {
  let [longestMs, before] = [0, cpuMs()];
  const look = (): void => {
    const now = cpuMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
  };
  const looking = setInterval(look, 1);
  return () => {
    clearInterval(looking);
    look();
    return longestMs;
  };
};

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
