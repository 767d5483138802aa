import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddedLog } from "./embedded-log.js";
import { endLeftovers } from "./orphan.js";
import { readPostmasterFile } from "./postmaster-file.js";
import { launchServer, type ServerPlan, type ServerProcess } from "./server-process.js";
import { endServer, endServerAtOnce } from "./shutdown.js";
import { clearSocket } from "./socket-directory.js";
import { waitUntil } from "./wait-until.js";

const restartDelaysMs = [200, 500, 1_000, 2_000] as const;
const longestRestartDelayMs = 5_000;
const delayAfter = (failures: number): number => restartDelaysMs[failures - 1] ?? longestRestartDelayMs;

/** A server that ran this long resets the count of failures. */
const healthyAfterMs = 60_000;
/** The first start gives up after this many; a running service never does. */
const startAttempts = 5;

/** Keeps one server running from `start` to `stop`. */
export class Postmaster {
  readonly #plan: ServerPlan;
  readonly #log: EmbeddedLog;
  readonly #halt = new AbortController();
  #server: ServerProcess | null = null;
  #watch: Promise<void> = Promise.resolve();

  constructor(plan: ServerPlan, log: EmbeddedLog) {
    this.#plan = plan;
    this.#log = log;
  }

  /** Resolves when the server accepts connections. */
  async start(): Promise<void> {
    for (let failures = 1; ; failures++) {
      const server = await this.#launch();
      if (await becomesReady(server, this.#plan.clusterDir)) {
        this.#watch = this.#keepAlive(server);
        return;
      }
      if (failures === startAttempts) throw await startFailure(server);
      await sleep(delayAfter(failures));
    }
  }

  async stop(): Promise<void> {
    this.#halt.abort();
    const server = this.#server;
    if (server !== null && !server.hasExited()) await endServer(endable(server), this.#log);
    await this.#watch;
    // A server that had to be killed leaves its sessions behind.
    await endLeftovers(this.#plan.clusterDir, this.#log);
  }

  /** Ends the server without a checkpoint, even while `start` or `stop` is waiting for it. */
  async endAtOnce(): Promise<void> {
    this.#halt.abort();
    const server = this.#server;
    if (server !== null && !server.hasExited()) await endServerAtOnce(endable(server), this.#log);
  }

  async #launch(): Promise<ServerProcess> {
    await endLeftovers(this.#plan.clusterDir, this.#log);
    await clearSocket(this.#plan.socketDir);
    this.#halt.signal.throwIfAborted();
    this.#server = launchServer(this.#plan, this.#log);
    return this.#server;
  }

  async #keepAlive(first: ServerProcess): Promise<void> {
    let server: ServerProcess | null = first;
    let failures = 0;
    while (!this.#halt.signal.aborted) {
      const watchedFrom = performance.now();
      const how: string = server === null ? "it could not be started" : await server.exited;
      if (this.#halt.signal.aborted) return;
      failures = performance.now() - watchedFrom > healthyAfterMs ? 1 : failures + 1;
      this.#log.error({ how, restartInMs: delayAfter(failures) }, "PostgreSQL died; restarting it");
      server = await this.#relaunch(delayAfter(failures));
    }
  }

  /** null if that failed too: the loop continues, because a service without its database can only retry. */
  async #relaunch(delayMs: number): Promise<ServerProcess | null> {
    try {
      await sleep(delayMs, undefined, { signal: this.#halt.signal });
      const server = await this.#launch();
      void this.#announce(server);
      return server;
    } catch (error) {
      if (!this.#halt.signal.aborted) this.#log.error({ err: error }, "PostgreSQL could not be started");
      return null;
    }
  }

  async #announce(server: ServerProcess): Promise<void> {
    // If the check fails, only a log line is lost; the server is watched by its exit.
    const isBack = await becomesReady(server, this.#plan.clusterDir).catch(() => false);
    if (isBack) this.#log.info({ pid: server.pid }, "PostgreSQL is running again");
  }
}

/** No time limit: recovery after a crash takes as long as it takes, and PostgreSQL reports its progress. */
async function becomesReady(server: ServerProcess, clusterDir: string): Promise<boolean> {
  while (!server.hasExited()) {
    const file = await readPostmasterFile(clusterDir);
    if (file?.pid === server.pid && file?.isReady === true) return true;
    await sleep(20);
  }
  return false;
}

function endable(server: ServerProcess): Parameters<typeof endServer>[0] {
  const endsWithin = (withinMs: number): Promise<boolean> => waitUntil(server.hasExited, { withinMs, everyMs: 10 });
  return { signal: server.signal, endsWithin };
}

async function startFailure(server: ServerProcess): Promise<Error> {
  const how = await server.exited;
  const said = server.lastLines();
  return new Error(`PostgreSQL did not start (${how}, ${startAttempts} attempts). Its last output:\n${said}`);
}
