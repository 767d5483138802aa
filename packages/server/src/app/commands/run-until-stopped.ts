import { type Config, readConfig } from "../../platform/runtime/config.js";
import { buildLogger, type Logger } from "../../platform/runtime/logger.js";
import { KeyFault } from "../wire/secret-keys.js";
import { onStopSignals } from "./stop-signals.js";

const EXIT_FAILED = 1;
const EXIT_BAD_CONFIG = 78; // EX_CONFIG of sysexits.h

type Stop = () => Promise<void>;

/** How a command learns that it should stop, and registers what to stop. */
export interface Running {
  /** Aborted when it is asked to stop. */
  readonly asked: AbortSignal;
  /** Aborted when it has to stop at once. */
  readonly atOnce: AbortSignal;
  /** Stops run in reverse order. */
  onStop(stop: Stop): void;
  /** Like `onStop`, and awaited even when stopping at once: for what would outlive the process. */
  onStopAlways(stop: Stop): void;
}

interface Command {
  readonly logger: Logger;
  /** Log message on failure, for example "the start failed". */
  readonly failure: string;
  /** Whether it ends with `start`; otherwise a signal ends it. */
  readonly isOnce: boolean;
  readonly start: (running: Running) => Promise<void>;
}

/** The settings; ends the process where some are wrong, which lists them. */
export const configOrExit = (): Config => {
  const read = readConfig();
  if ("config" in read) return read.config;
  for (const fault of read.faults) process.stderr.write(`curtail: ${fault}\n`);
  process.exit(EXIT_BAD_CONFIG);
};

/**
 * Runs a command until it is done or asked to stop, stops what it started, and exits: 0, or 1 if something failed or
 * was cut short.
 */
export const runUntilStopped = async ({ logger, failure, isOnce, start }: Command): Promise<void> => {
  // A reader that is gone (`| head`, Ctrl-C) must not end the service and orphan its database.
  process.stdout.on("error", () => undefined);
  const asked = new AbortController();
  const atOnce = new AbortController();
  const abandoned = whenAborted(atOnce.signal);
  const stops: Stop[] = [];
  const starting = start({
    asked: asked.signal,
    atOnce: atOnce.signal,
    onStop: (stop) => void stops.unshift(() => Promise.race([stop(), abandoned])),
    onStopAlways: (stop) => void stops.unshift(stop),
  });
  const end = exitOnce(stops, logger);
  onStopSignals({
    drain(signal) {
      asked.abort(signal);
      // What is still starting cannot be stopped yet: let it reach its next step first.
      void Promise.race([starting.catch(() => undefined), abandoned]).then(() => end(signal));
    },
    endAtOnce(signal) {
      logger.warn({ signal }, "signalled again: stopping immediately, open requests are aborted");
      process.exitCode = EXIT_FAILED;
      atOnce.abort(signal);
    },
  });
  try {
    await starting;
    if (isOnce) await end("done");
  } catch (error) {
    if (asked.signal.aborted) return;
    reportFailure(error, logger, failure);
    await end(failure);
  }
};

/** What a command with settings works with. */
export interface RunningCommand {
  readonly config: Config;
  readonly logger: Logger;
  readonly running: Running;
}

/** Runs a command with settings to its end. */
export const runOnce = (failure: string, start: (opening: RunningCommand) => Promise<void>): Promise<void> => {
  const config = configOrExit();
  const logger = buildLogger(config.logLevel);
  return runUntilStopped({ logger, failure, isOnce: true, start: (running) => start({ config, logger, running }) });
};

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** Logs the whole error, prints its message, and sets the exit code to failure. */
const reportFailure = (error: unknown, logger: Logger, what: string): void => {
  logger.fatal({ err: error }, what);
  process.stderr.write(`curtail: ${messageOf(error)}\n`);
  process.exitCode = error instanceof KeyFault ? EXIT_BAD_CONFIG : EXIT_FAILED;
};

const exitOnce = (stops: readonly Stop[], logger: Logger): ((why: string) => Promise<void>) => {
  let ending: Promise<void> | undefined;
  const run = async (why: string): Promise<void> => {
    logger.info({ why }, "stopping: waiting for open requests to finish");
    for (const stop of stops) {
      try {
        await stop();
      } catch (error) {
        logger.error({ err: error }, "a component did not stop cleanly");
        process.exitCode = EXIT_FAILED;
      }
    }
    logger.info({}, "stopped");
    // A natural exit removes the signal handlers first, and a late signal would change the exit code.
    process.exit();
  };
  return (why) => (ending ??= run(why));
};

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
};
