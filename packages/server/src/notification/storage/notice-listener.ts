import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { NOTICE_CHANNEL } from "../../dispatch/storage/notice-store.js";

const RECONNECT_MS = 1000;
const STOP_MS = 500;

export interface NoticeListener {
  stop(): Promise<void>;
}

/** Calls `wake` whenever any process commits a notice. Only a hint; reconnects until stopped. */
export const listenForNotices = (options: pg.PoolOptions, wake: () => void): NoticeListener => {
  const stopping = new AbortController();
  let client: pg.Client | undefined;
  const listen = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      client = new pg.Client({ ...options, statement_timeout: 0, query_timeout: 0 });
      await untilBroken(client, wake);
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

const untilBroken = async (client: pg.Client, wake: () => void): Promise<void> => {
  const broken = new Promise<void>((resolve) => {
    client.on("error", () => resolve());
    client.on("end", () => resolve());
  });
  client.on("notification", wake);
  try {
    await client.connect();
    await client.query(`listen ${NOTICE_CHANNEL}`);
    // For notices committed while disconnected.
    wake();
    await broken;
  } catch {
    // Meanwhile the worker polls once a second; the next attempt to connect follows.
  } finally {
    await client.end().catch(() => {});
  }
};
