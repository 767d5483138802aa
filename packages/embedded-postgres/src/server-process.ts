import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { spawnCommand } from "./command.js";
import type { EmbeddedLog } from "./embedded-log.js";
import type { Identity } from "./identity.js";
import { type Reach, reaching } from "./reach.js";
import { settingArguments } from "./settings.js";

export interface ServerPlan {
  readonly postgres: string;
  readonly identity: Identity;
  readonly clusterDir: string;
  readonly reach: Reach;
  readonly socketDir: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
}

export interface ServerProcess {
  readonly pid: number | undefined;
  /** How it ended, in words. */
  readonly exited: Promise<string>;
  readonly hasExited: () => boolean;
  readonly signal: (name: NodeJS.Signals) => void;
  lastLines(): string;
}

const keptLines = 20;

export function launchServer(plan: ServerPlan, log: EmbeddedLog): ServerProcess {
  const child = reaching(plan.reach, plan.clusterDir, (directory, descriptors) =>
    spawnCommand({
      file: plan.postgres,
      args: serverArguments(directory, plan),
      identity: plan.identity,
      descriptors,
    }),
  );
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) if (stream !== null) forward(stream, lines, log);
  let ended = false;
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal === null ? `exit code ${code}` : `ended by ${signal}`));
  }).finally(() => {
    ended = true;
  });
  return {
    pid: child.pid,
    exited,
    hasExited: () => ended,
    signal: (name) => void child.kill(name),
    lastLines: () => lines.join("\n"),
  };
}

function serverArguments(directory: string, plan: ServerPlan): string[] {
  const socket = { port: String(plan.port), unix_socket_directories: `"${plan.socketDir}"` };
  return ["-D", directory, ...settingArguments({ ...plan.settings, ...socket })];
}

function forward(stream: Readable, kept: string[], log: EmbeddedLog): void {
  createInterface({ input: stream }).on("line", (line) => {
    kept.push(line);
    if (kept.length > keptLines) kept.shift();
    const [, severity = "LOG", message = line] = /^([A-Z]+):\s+(.*)$/.exec(line) ?? [];
    log[levelOf(severity)]({ component: "postgresql", severity }, message);
  });
}

function levelOf(severity: string): keyof EmbeddedLog {
  // FATAL ends one session, PANIC the server.
  if (severity === "PANIC") return "error";
  return ["FATAL", "ERROR", "WARNING"].includes(severity) ? "warn" : "info";
}
