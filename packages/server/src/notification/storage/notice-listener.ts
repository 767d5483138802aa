import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { NOTICE_CHANNEL } from "../../dispatch/storage/notice-store.js";

const RECONNECT_MS = 1000;
const STOP_MS = 500;

export interface NoticeListener {
  stop(): Promise<void>;
}

/** Calls `wake` whenever a notice is committed, by any process. Connects again for as long as it runs: it is a hint. */
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
      // One that is still connecting answers no `end`; it is not waited for, and gives up by its own time limit.
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
    // What was committed while nobody listened.
    wake();
    await broken;
  } catch {
    // The worker's own clock looks once a second; the next try to connect follows.
  } finally {
    await client.end().catch(() => {});
  }
};
