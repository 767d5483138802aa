import type { EmbeddedLog } from "./embedded-log.js";

interface ServerToEnd {
  readonly signal: (name: NodeJS.Signals) => void;
  readonly endsWithin: (ms: number) => Promise<boolean>;
}

// Fast: sessions are ended and everything is written. Immediate: the next start recovers. Last: the kernel ends it.
const steps = [
  { signal: "SIGINT", waitMs: 30_000 },
  { signal: "SIGQUIT", waitMs: 5_000 },
  { signal: "SIGKILL", waitMs: 5_000 },
] as const;

export async function endServer(server: ServerToEnd, log: EmbeddedLog): Promise<void> {
  for (const { signal, waitMs } of steps) {
    server.signal(signal);
    if (await server.endsWithin(waitMs)) return;
    log.warn({ signal, waitMs }, "PostgreSQL did not stop in time");
  }
}
