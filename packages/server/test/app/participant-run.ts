import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runParticipant } from "@curtail/cli";
import { atEnd } from "@curtail/testing/at-end";

export interface ParticipantRan {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output, parsed as JSON. */
  // A test looks into what was printed; each expectation is the check.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

export interface ParticipantRunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string | AsyncIterable<Uint8Array>;
  /** What a person types when asked for a key; none: there is no terminal. */
  readonly secret?: string;
  /** Called when the command can be interrupted: it has begun to wait. */
  readonly onStart?: (interrupt: () => void) => Promise<void>;
  /** How much faster the command's waits pass. */
  readonly speed?: number;
  /** Other commands on the machine, with their options. */
  readonly running?: ReadonlyArray<{
    readonly pid: number;
    readonly words: readonly string[];
    readonly folder: string;
  }>;
  /** Replaces the time of the machine. */
  readonly now?: () => Date;
  /** Called with everything written to standard output so far, and a function that stops the command. */
  readonly onOutput?: (stdout: string, interrupt: () => void) => void;
  /** The same for standard error. */
  readonly onNote?: (stderr: string, interrupt: () => void) => void;
}

/** Runs `curtail` as a user of a machine with its own home. */
export const participantUser = () => {
  const home = mkdtempSync(join(tmpdir(), "curtail-home-"));
  atEnd(() => rm(home, { recursive: true, force: true }));
  const run = async (args: readonly string[], options: ParticipantRunOptions = {}): Promise<ParticipantRan> => {
    const written = { stdout: "", stderr: "" };
    let interrupt = nothing;
    const output = (name: "stdout" | "stderr") => ({
      write(data: string | Uint8Array) {
        written[name] += typeof data === "string" ? data : new TextDecoder().decode(data);
        const notified = name === "stdout" ? options.onOutput : options.onNote;
        notified?.(written[name], () => interrupt());
      },
    });
    const { secret } = options;
    const exitCode = await runParticipant(args, {
      stdout: output("stdout"),
      stderr: output("stderr"),
      environment: options.environment ?? {},
      configFolder: join(home, "config", "curtail"),
      stateFolder: join(home, "state", "curtail"),
      stdin: typeof options.stdin === "object" ? options.stdin : inputOf(options.stdin ?? ""),
      runningCommands: () => options.running ?? [],
      askSecret: secret === undefined ? null : async () => secret,
      now: options.now ?? (() => new Date()),
      wait: async (ms, signal) => {
        await delay(ms / (options.speed ?? 1), undefined, { signal }).catch(() => {});
      },
      onInterrupt(listener) {
        interrupt = listener;
        void options.onStart?.(listener);
        return () => {};
      },
    });
    return { ...written, exitCode, json: parsed(written.stdout) };
  };
  /** Writes a file into the home; returns its path. */
  const fileWith = (name: string, text: string): string => {
    const file = join(home, name);
    writeFileSync(file, text);
    return file;
  };
  return { home, run, fileWith };
};

/** A command that goes on until it is stopped. */
export interface Following {
  /** What it wrote to standard error so far. */
  readonly said: () => string;
  /** The same for standard output. */
  readonly printed: () => string;
  readonly stop: () => Promise<ParticipantRan>;
}

/** Starts such a command; returns once it can be stopped, and throws if it ends before. */
export const follow = async (
  run: ReturnType<typeof participantUser>["run"],
  args: readonly string[],
  options: ParticipantRunOptions,
): Promise<Following> => {
  let [said, printed] = ["", ""];
  let begin: (interrupt: () => void) => void = nothing;
  const started = new Promise<() => void>((resolve) => void (begin = resolve));
  const ran = run(args, {
    ...options,
    onStart: async (interrupt) => begin(interrupt),
    onNote: (text) => void (said = text),
    onOutput: (text) => void (printed = text),
  });
  const ended = ran.then(({ exitCode, stderr }) => {
    throw new Error(`it ended with ${exitCode}: ${stderr}`);
  });
  const interrupt = await Promise.race([started, ended]);
  ended.catch(nothing);
  return {
    said: () => said,
    printed: () => printed,
    async stop() {
      interrupt();
      return ran;
    },
  };
};

const nothing = (): void => {};

async function* inputOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
