import { setTimeout as delay } from "node:timers/promises";

/** Somewhere to write text or a file, and whether it is a terminal. */
export interface Output {
  write(data: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
}

/** The settings by which to reach a service. */
export interface AdminSettings {
  readonly publicUrl: string | null;
  readonly port: number;
  readonly operatorPublicUrl: string | null;
  readonly operatorPort: number | null;
  readonly operatorToken: string | null;
  readonly apiKeyHeader: string;
  readonly noColor: boolean;
}

/** Called when a command runs; returns the settings, or every fault in them. */
type ReadSettings = () => { readonly settings: AdminSettings } | { readonly faults: readonly string[] };

/** Everything outside that a command uses, except files and the service. */
export interface CommandIo {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly now: () => Date;
  /** Resolves after `ms`, or as soon as `signal` is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls `listener` at the first request to stop; returns a function that removes it. */
  onInterrupt(listener: () => void): () => void;
  readonly leave: (exitCode: number) => never;
}

/** Apart from the commands themselves: they load the schemas of the operator API. */
export const ADMIN_SUMMARY = "Manage the service through its operator API.";

/** What `curtail admin` uses besides. */
export interface AdminIo extends CommandIo {
  readonly readSettings: ReadSettings;
}

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
/** 128 + SIGINT, by the convention of shells. */
export const EXIT_INTERRUPTED = 130;

/** Ends a command with a message for the user. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT_FAILED,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const usageFault = (message: string): CommandFailure => new CommandFailure(message, EXIT_USAGE);

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The reader may stop early (`| head`); that is not a failure. */
const untilClosed = (stream: NodeJS.WriteStream): Output => ({
  isTTY: stream.isTTY,
  write(data) {
    if (!stream.listeners("error").includes(leaveQuietly)) stream.on("error", leaveQuietly);
    return stream.write(data);
  },
});

const leaveQuietly = (error: NodeJS.ErrnoException): void => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
};

const stopSignals = ["SIGINT", "SIGTERM"] as const;

export const processIo = (readSettings: ReadSettings): AdminIo => ({ ...processCommandIo(), readSettings });

export const processCommandIo = (): CommandIo => ({
  stdout: untilClosed(process.stdout),
  stderr: process.stderr,
  now: () => new Date(),
  wait: async (ms, signal) => {
    // An abort also ends the wait; it is not a failure.
    await delay(ms, undefined, { signal }).catch(() => {});
  },
  onInterrupt(listener) {
    // Once: a second signal must not wait for the first.
    for (const signal of stopSignals) process.once(signal, listener);
    return () => {
      for (const signal of stopSignals) process.off(signal, listener);
    };
  },
  leave: (exitCode) => process.exit(exitCode),
});
