import { type Client, NoResponse } from "@curtail/client";

/** A comment comes every 5 seconds. */
const SILENCE_MS = 15_000;
const RECONNECT_MS = 2000;

export interface Following {
  readonly signal: AbortSignal;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called when there is something new, and after each connection: something may have happened meanwhile. */
  readonly onNews: () => void;
  /** Called when the stream begins to say something, and when it ends. Until then, and from then on, poll. */
  readonly onLive: (isLive: boolean) => void;
}

/**
 * Follows the stream of dispatches over broken connections. What it says is not read, only that it says something.
 *
 * @returns when the service has no stream, or the signal is aborted
 */
export const followStream = async (client: Client, following: Following): Promise<void> => {
  const { signal, wait } = following;
  while (!signal.aborted) {
    if (!(await followOnce(client, following))) return;
    await wait(RECONNECT_MS, signal);
  }
};

/** False if the service has no stream. */
const followOnce = async (client: Client, { signal, onNews, onLive }: Following): Promise<boolean> => {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await client.send(
      { method: "GET", path: "/dispatches/stream" },
      { headers: { accept: "text/event-stream" }, signal: AbortSignal.any([signal, silence.signal]) },
    );
    if (response.status === 404) return false;
    if (!isStream(response)) {
      await response.body?.cancel();
      return true;
    }
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      onLive(true);
      if (isNews(decoder.decode(chunk, { stream: true }))) onNews();
    }
  } catch (error) {
    if (!(error instanceof NoResponse) && !signal.aborted && !silence.signal.aborted && !isBroken(error)) throw error;
  } finally {
    clearTimeout(timer);
    onLive(false);
  }
  return true;
};

/** A proxy may answer with a page or a fault of its own. */
const isStream = ({ status, headers }: Response): boolean =>
  status === 200 && headers.get("content-type")?.startsWith("text/event-stream") === true;

/** Anything but comments and empty lines. */
export const isNews = (text: string): boolean => text.split("\n").some((line) => line !== "" && !line.startsWith(":"));

/** A body that ends before its end is a `TypeError` of `fetch`. */
const isBroken = (error: unknown): boolean => error instanceof TypeError;
