import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const RECONNECT_MS = 1000;
const STOP_MS = 500;

export interface CommitListener {
  stop(): Promise<void>;
}

/** What to do when a process commits something, by the channel that it is notified on. */
export type Wakes = Readonly<Record<string, (payload?: string) => void>>;

/**
 * Wakes whenever any process commits something. Only a hint; reconnects until stopped.
 *
 * @param options null: nothing can be listened to
 */
export const listenForCommits = (options: pg.PoolOptions | null, wakes: Wakes): CommitListener => {
  if (options === null) return { stop: async () => {} };
  const stopping = new AbortController();
  let client: pg.Client | undefined;
  const listen = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      client = new pg.Client({ ...options, query_timeout: 0 });
      await untilBroken(client, wakes);
      await sleep(RECONNECT_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const listening = listen();
  return {
    async stop() {
      stopping.abort();
      // A client that is still connecting ignores `end`; do not wait for it, as its own timeout ends it.
      void client?.end().catch(() => {});
      await Promise.race([listening, sleep(STOP_MS)]);
    },
  };
};

const untilBroken = async (client: pg.Client, wakes: Wakes): Promise<void> => {
  const broken = new Promise<void>((resolve) => {
    client.on("error", () => resolve());
    client.on("end", () => resolve());
  });
  client.on("notification", ({ channel, payload }) => wakes[channel]?.(payload));
  try {
    await client.connect();
    await client.query(
      Object.keys(wakes)
        .map((channel) => `listen ${channel}`)
        .join("; "),
    );
    // For what was committed while disconnected.
    for (const wake of Object.values(wakes)) wake();
    await broken;
  } catch {
    // Meanwhile the workers poll; the next attempt to connect follows.
  } finally {
    await client.end().catch(() => {});
  }
};
