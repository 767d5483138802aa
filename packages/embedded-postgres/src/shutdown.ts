import type { EmbeddedLog } from "./embedded-log.js";

interface ServerToEnd {
  readonly signal: (name: NodeJS.Signals) => void;
  readonly endsWithin: (ms: number) => Promise<boolean>;
}

interface Step {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

// Immediate: the next start recovers. The last step kills it.
const immediately: readonly Step[] = [
  { signal: "SIGQUIT", waitMs: 5_000 },
  { signal: "SIGKILL", waitMs: 5_000 },
];
// Fast: ends sessions and writes everything.
const cleanly: readonly Step[] = [{ signal: "SIGINT", waitMs: 30_000 }, ...immediately];

export const endServer = (server: ServerToEnd, log: EmbeddedLog): Promise<void> => endBy(cleanly, server, log);

export const endServerAtOnce = (server: ServerToEnd, log: EmbeddedLog): Promise<void> =>
  endBy(immediately, server, log);

async function endBy(steps: readonly Step[], server: ServerToEnd, log: EmbeddedLog): Promise<void> {
  for (const { signal, waitMs } of steps) {
    server.signal(signal);
    if (await server.endsWithin(waitMs)) return;
    log.warn({ signal, waitMs }, "PostgreSQL did not stop in time");
  }
}
