import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../../packages/server/curtail.mjs", import.meta.url));
/** Longer than the service's limit for a request. */
const DRAIN_MS = 70_000;
const KILL_MS = 90_000;

/** The service in its own process, as an operator runs it. */
export interface Service {
  /** Resolves when it is listening. */
  readonly ready: Promise<Listening>;
  /** Resolves when it has ended, intended or not. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface Listening {
  readonly url: string;
  /** The addresses that it printed. */
  readonly addresses: readonly string[];
}

export interface ServiceSettings {
  readonly dataDir: string;
  readonly operatorToken: string;
  readonly port: number | null;
}

/** Throws if settings of the service are given: the demo sets its own and would ignore them. */
export const refuseSettings = (): void => {
  const given = Object.keys(process.env).filter((name) => name.startsWith("CURTAIL_") || name === "DATABASE_URL");
  if (given.length === 0) return;
  const names = given.toSorted().join(" ");
  throw new Error(`the demo configures its service itself: unset ${names}, and see --help for its own options`);
};

export const startService = async ({ dataDir, operatorToken, port }: ServiceSettings): Promise<Service> => {
  const isAnyPort = port === 0;
  const portOf = async (wished: number) => String(isAnyPort ? 0 : await freePort(wished));
  const child = spawn(process.execPath, [command, "serve"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      CURTAIL_DATA_DIR: join(dataDir, "service"),
      CURTAIL_OPERATOR_TOKEN: operatorToken,
      CURTAIL_PORT: port === null ? await portOf(8080) : String(port),
      CURTAIL_SANDBOX_PORT: await portOf(8081),
      CURTAIL_OPENADR_PORT: await portOf(8443),
      CURTAIL_OPENADR3_PORT: await portOf(8090),
      // The fleet's receivers are on this machine.
      CURTAIL_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      CURTAIL_LOG_LEVEL: "error",
    },
  });
  const ended = once(child, "exit").then(() => {});
  return { ready: untilReady(child), ended, stop: () => stopped(child, ended) };
};

const stopped = async (child: ChildProcess, ended: Promise<void>): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const overdue = [setTimeout(() => insist(child), DRAIN_MS), setTimeout(() => child.kill("SIGKILL"), KILL_MS)];
  await ended;
  for (const timer of overdue) clearTimeout(timer);
};

/** The third signal ends the service and its database at once; a kill would leave the database running. */
const insist = (child: ChildProcess): void => {
  child.kill("SIGTERM");
  // Two pending signals of one kind count as one.
  child.kill("SIGINT");
};

const untilReady = async (child: ChildProcess): Promise<Listening> => {
  if (child.stdout === null) throw new Error("the service has no standard output");
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "curtail ready") return listening(lines);
    lines.push(line);
  }
  throw new Error("the service stopped before it was ready; see the reason above");
};

const listening = (addresses: readonly string[]): Listening => {
  const url = /production REST.*?(http:\S+)/.exec(addresses.join("\n"))?.[1];
  if (url === undefined) throw new Error("the service did not print its address");
  return { url, addresses };
};

/** The port if it is free, else 0: the service then takes any. */
const freePort = async (port: number): Promise<number> => {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (!isFree) return 0;
  server.close();
  await once(server, "close");
  return port;
};
