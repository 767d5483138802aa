import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CommandFailure, type CommandIo, EXIT_INTERRUPTED, processCommandIo } from "../admin-io.js";
import { type RunningCommand, runningCommands } from "./running-commands.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Everything outside that participants' commands use, except files and the service. */
export interface ParticipantIo extends CommandIo {
  readonly environment: Environment;
  /** Folder of the profiles. */
  readonly configFolder: string;
  /** Folder of what is remembered between runs. */
  readonly stateFolder: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Other commands of this program that run on the machine. */
  readonly runningCommands: () => readonly RunningCommand[];
  /** Asks a person and does not show the answer; null without a terminal. */
  readonly askSecret: ((question: string) => Promise<string>) | null;
}

export const processParticipantIo = (environment: Environment = process.env): ParticipantIo => ({
  ...processCommandIo(),
  environment,
  configFolder: join(baseFolder(environment, "XDG_CONFIG_HOME", ".config"), "curtail"),
  stateFolder: join(baseFolder(environment, "XDG_STATE_HOME", ".local/state"), "curtail"),
  stdin: process.stdin,
  runningCommands,
  askSecret: process.stdin.isTTY && process.stderr.isTTY ? askSecret : null,
});

/** XDG Base Directory Specification 0.8: a relative path is ignored. */
const baseFolder = (environment: Environment, variable: string, standard: string): string => {
  const given = environment[variable] ?? "";
  return given.startsWith("/") ? given : join(environment["HOME"] ?? homedir(), standard);
};

/** Ctrl-C ends the command; Ctrl-D answers nothing. */
const askSecret = async (question: string): Promise<string> => {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  // From here on the terminal shows nothing of what is typed, so only now may the question appear.
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: true });
  process.stderr.write(question);
  const stopped = new AbortController();
  let isInterrupted = false;
  lines.once("SIGINT", () => {
    isInterrupted = true;
    stopped.abort();
  });
  // Otherwise the answer would be waited for without end.
  lines.once("close", () => stopped.abort());
  try {
    return await lines.question("", { signal: stopped.signal });
  } catch {
    if (isInterrupted) throw new CommandFailure("interrupted", EXIT_INTERRUPTED);
    return "";
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
};

/** https://no-color.org: any value but an empty one counts. */
export const isColorless = ({ NO_COLOR }: Environment): boolean => (NO_COLOR ?? "") !== "";
