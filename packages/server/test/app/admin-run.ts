import { runAdmin } from "@curtail/cli/admin";
import { readAdminSettings } from "../../src/platform/runtime/config.js";
import { OPERATOR_TOKEN, type Running } from "../support/running.js";

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output, parsed as JSON. */
  // A test looks into what was printed; each expectation is the check.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  /** Requested waits, in seconds; none takes any time. */
  readonly waitedSeconds: readonly number[];
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  /** Called with a function that stops the command, as Ctrl-C would. */
  readonly onInterruptible?: (interrupt: () => void) => void;
}

/** Runs `curtail admin` in this process against a service. */
export const adminOf =
  ({ url, clock }: Pick<Running, "url" | "clock">) =>
  async (args: readonly string[], options: RunOptions = {}): Promise<Ran> => {
    const ownEnvironment = { CURTAIL_PUBLIC_URL: url, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN };
    const written = { stdout: "", stderr: "" };
    const waitedSeconds: number[] = [];
    const output = (name: "stdout" | "stderr") => ({
      write: (data: string | Uint8Array) =>
        void (written[name] += data instanceof Uint8Array ? utf8.decode(data) : data),
      isTTY: options.isTTY ?? false,
    });
    const exitCode = await runAdmin(args, {
      stdout: output("stdout"),
      stderr: output("stderr"),
      readSettings: () => readAdminSettings(options.environment ?? ownEnvironment),
      now: () => clock.now(),
      wait: async (ms) => void waitedSeconds.push(ms / 1000),
      onInterrupt(listener) {
        options.onInterruptible?.(listener);
        return () => {};
      },
    });
    return { ...written, exitCode, waitedSeconds, json: parsed(written.stdout) };
  };

const utf8 = new TextDecoder();

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
