export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

export interface TimedAnswer {
  readonly status: number;
  readonly text: string;
  /** The most that the event loop, the service's and the client's, worked meanwhile before it turned to others. */
  readonly blockedMs: number;
}

const TRIES = 5;

/**
 * Sends a request, again while one blocks the event loop as long as is not allowed: what the garbage collector does
 * falls on any request now and then, what a request does falls on it each time.
 */
export const sendTimed = async (url: string, request: Sent, mostBlockedMs: number): Promise<TimedAnswer> => {
  let answer = await sendOnce(url, request);
  for (let tries = 1; answer.blockedMs >= mostBlockedMs && tries < TRIES; tries++)
    answer = await sendOnce(url, request);
  return answer;
};

const sendOnce = async (url: string, { method, headers, body }: Sent): Promise<TimedAnswer> => {
  // Made before it is timed: it is the client's work.
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
 * Times the turns of the event loop in time of the processor, so that a busy machine does not count. A look each
 * millisecond sees every turn that is longer; a look at every turn would keep the processor busy while nothing happens.
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
