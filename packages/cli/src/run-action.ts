import { CommandFailure, type CommandIo } from "./admin-io.js";

/** Wraps a command's action so that failures become messages. */
export type RunAction = (action: () => Promise<void>) => () => Promise<void>;

export const runner =
  (io: CommandIo): RunAction =>
  (action) =>
  async () => {
    try {
      await action();
    } catch (error) {
      // Anything else is a bug and keeps its stack trace.
      if (!(error instanceof CommandFailure)) throw error;
      for (const line of error.message.split("\n")) io.stderr.write(`curtail: ${line}\n`);
      io.leave(error.exitCode);
    }
  };

/** Runs a command that may leave with an exit code; returns the code. */
export const exitCodeOf = async (run: (leave: CommandIo["leave"]) => Promise<unknown>): Promise<number> => {
  try {
    await run(leave);
    return 0;
  } catch (error) {
    if (error instanceof Leaving) return error.exitCode;
    throw error;
  }
};

const leave = (exitCode: number): never => {
  throw new Leaving(exitCode);
};

class Leaving extends Error {
  constructor(readonly exitCode: number) {
    super(`left with ${exitCode}`);
  }
}
