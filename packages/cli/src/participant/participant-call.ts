import { createParticipant, type Participant, type ParticipantAccess, type RetryPolicy } from "@curtail/client";
import { Command } from "commander";
import { CommandFailure, EXIT_USAGE } from "../admin-io.js";
import { type Printer, printerOf } from "../printer.js";
import { runner } from "../run-action.js";
import { type Access, accessOf } from "./access.js";
import { fetchFor } from "./network.js";
import { failureOf } from "./participant-failure.js";
import { isColorless, type ParticipantIo } from "./participant-io.js";
import { profilesFile, readProfiles } from "./profiles.js";

export interface ParticipantOptions {
  readonly profile?: string;
  readonly json?: true;
}

/** One run of a command. */
export interface Run<Options> {
  readonly io: ParticipantIo;
  readonly options: Options & ParticipantOptions;
  readonly args: readonly string[];
  readonly print: Printer;
  /** Address and key to use; throws a `CommandFailure` if there are none. */
  readonly access: () => Access;
  /** The service, by the profile or the environment. */
  readonly connect: (settings?: ConnectSettings) => Promise<Participant>;
}

export interface ConnectSettings {
  readonly retry?: Partial<RetryPolicy>;
  readonly timeoutMs?: number;
}

/** A person waits: an unreachable service is reported soon. */
const SOON: Partial<RetryPolicy> = { attempts: 3, longestRetryAfterMs: 60_000 };

/** A new command with the options of every participants' command. */
export const participantCommand = (io: ParticipantIo, name: string, description: string): Command =>
  plainCommand(io, name, description)
    .option("--profile <name>", "Profile to use, as named at `curtail login`.")
    .option("--json", "Print JSON.");

/** A new command, also for nouns. */
export const plainCommand = (io: ParticipantIo, name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .exitOverride(({ exitCode }) => io.leave(exitCode === 0 ? 0 : EXIT_USAGE));

/** Examples at the end of a command's help. */
export const withExamples = (command: Command, ...examples: readonly string[]): Command =>
  command.addHelpText("after", `\nExamples:\n${examples.map((each) => `  ${each}`).join("\n")}`);

/** Runs the command; failures of the service become messages with what to do. */
export const onRun = <Options extends object>(
  io: ParticipantIo,
  command: Command,
  action: (run: Run<Options>) => Promise<void>,
): Command =>
  command.action(
    runner(io)(async () => {
      const options = command.opts<Options & ParticipantOptions>();
      const print = printerOf(io, { noColor: isColorless(io.environment) }, options.json === true);
      let found: Access | undefined;
      const access = () =>
        (found ??= accessOf(options.profile, io.environment, () => readProfiles(profilesFile(io.configFolder))));
      const connect = (settings: ConnectSettings = {}) => participantOf(io, access(), settings);
      try {
        await action({ io, options, args: command.args, print, access, connect });
      } catch (error) {
        const failure = found === undefined ? null : failureOf(error, found);
        throw failure ?? error;
      }
    }),
  );

/** How the service is reached. The key stays with its address: redirects are not followed. */
export const reachedBy = async (
  { environment }: Pick<ParticipantIo, "environment">,
  { url, api_key: key, api_key_header: keyHeader }: Access,
): Promise<ParticipantAccess> => ({
  url,
  key,
  ...(keyHeader === undefined ? {} : { keyHeader }),
  redirect: "manual",
  fetch: await fetchFor(url, environment),
});

export const participantOf = async (
  io: Pick<ParticipantIo, "environment">,
  access: Access,
  settings: ConnectSettings,
): Promise<Participant> =>
  createParticipant({ ...(await reachedBy(io, access)), ...settings, retry: { ...SOON, ...settings.retry } });

/** Ends a command whose work was done, but whose result is not good. */
export const unsuccessful = (message: string): CommandFailure => new CommandFailure(message);
