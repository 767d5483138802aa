import { Command } from "commander";
import { ADMIN_SUMMARY, type AdminIo, EXIT_USAGE } from "./admin-io.js";
import { addOperatorCommand, singularOf } from "./operator-command.js";
import { operatorCommands } from "./operator-commands.js";
import { addReplayCommand } from "./replay.js";
import { exitCodeOf, runner } from "./run-action.js";
import { serviceAddress } from "./service-address.js";

/** `curtail admin`: the operator API from the command line. */
export const adminCommand = (io: AdminIo): Command => {
  const admin = new Command("admin")
    .description(ADMIN_SUMMARY)
    .option(
      "--url <url>",
      "Address of the service. Default: CURTAIL_PUBLIC_URL, or http://127.0.0.1:CURTAIL_PORT.",
      serviceAddress,
    )
    .option(
      "--token <token>",
      "Operator token. Visible to other users of this machine: prefer --token-file or CURTAIL_OPERATOR_TOKEN.",
    )
    .option("--token-file <file>", "File that holds the operator token. CURTAIL_OPERATOR_TOKEN takes precedence.")
    .option("--json", "Print the response as JSON.")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .exitOverride(({ exitCode }) => io.leave(exitCode === 0 ? 0 : EXIT_USAGE));
  const run = runner(io);
  const nouns = new Map<string, Command>();
  for (const each of operatorCommands) {
    const noun = nouns.get(each.noun) ?? admin.command(each.noun);
    nouns.set(each.noun, noun);
    addOperatorCommand(noun, each, io, run);
  }
  for (const [name, noun] of nouns) {
    noun.description(noun.commands.map((verb) => verb.name()).join(", "));
    if (singularOf(name) !== name) noun.alias(singularOf(name));
  }
  addReplayCommand(admin, io, run);
  return admin;
};

/** Runs one command of `curtail admin` in this process; returns its exit code. */
export const runAdmin = (args: readonly string[], io: Omit<AdminIo, "leave">): Promise<number> =>
  exitCodeOf((leave) => adminCommand({ ...io, leave }).parseAsync(args, { from: "user" }));
