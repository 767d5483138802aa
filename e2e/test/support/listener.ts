import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { atEnd } from "@curtail/testing/at-end";
import { command } from "./service-process.js";

export interface ListenerAccess {
  readonly url: string;
  readonly key: string;
  /** Folder of what it remembers. */
  readonly home: string;
}

/** `curtail listen` as a process. */
export interface Listener {
  /** What its notices are signed with. */
  readonly secret: string;
  /** Its output: a line for each attempt. */
  readonly lines: readonly string[];
  kill(): Promise<void>;
}

/** Starts it, and waits until it has said its secret. */
export const startListener = async (
  { url, key, home }: ListenerAccess,
  forwardTo: string,
  ...options: readonly string[]
): Promise<Listener> => {
  const child = spawn(process.execPath, [command, "listen", "--forward-to", forwardTo, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: home, CURTAIL_URL: url, CURTAIL_API_KEY: key },
  });
  atEnd(() => killed(child));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  return { secret: await secretOf(child), lines, kill: () => killed(child) };
};

const secretOf = async (child: ChildProcess): Promise<string> => {
  let said = "";
  if (child.stderr === null) throw new Error("the listener has no standard error");
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.startsWith("Secret: ")) return line.replace("Secret: ", "");
    said += `${line}\n`;
  }
  throw new Error(`the listener ended before it said its secret:\n${said}`);
};

const killed = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
};
