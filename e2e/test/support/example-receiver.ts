import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";

const fileOf = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

/** A program of `examples/` as a process. */
export interface ExampleReceiver {
  readonly url: string;
  readonly port: string;
  /** Its output, line by line. */
  readonly lines: readonly string[];
  /** Waits for a line that begins like this; returns the line. */
  says(beginning: string): Promise<string>;
  stop(): Promise<void>;
}

export const startExample = async (
  settings: Readonly<Record<string, string>>,
  name = "receiver.mjs",
): Promise<ExampleReceiver> => {
  const child = spawn(process.execPath, [fileOf(name)], { stdio: ["ignore", "pipe", "inherit"], env: settings });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  const says = (beginning: string): Promise<string> =>
    vi.waitFor(
      () => {
        const found = lines.find((line) => line.startsWith(beginning));
        if (found === undefined) throw new Error(`${name} did not say ${beginning}, but:\n${lines.join("\n")}`);
        return found;
      },
      { timeout: 15_000 },
    );
  const url = await addressOf(says, child);
  return {
    url,
    port: new URL(url).port,
    lines,
    says,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
};

/** If it does not start, it is not left behind. */
const addressOf = async (says: ExampleReceiver["says"], child: ChildProcess): Promise<string> => {
  try {
    return (await says("listening on ")).replace("listening on ", "");
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
};
