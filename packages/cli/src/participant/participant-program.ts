import { Command } from "commander";
import { EXIT_USAGE } from "../admin-io.js";
import { exitCodeOf } from "../run-action.js";
import { completionCommand } from "./completion.js";
import { dispatchesCommand } from "./dispatches.js";
import { doctorCommand } from "./doctor.js";
import { listenCommand } from "./listen.js";
import { loginCommand, logoutCommand } from "./login.js";
import { logsCommand } from "./logs.js";
import type { ParticipantIo } from "./participant-io.js";
import { scheduleCommand } from "./schedule.js";
import { sitesCommand } from "./sites.js";
import { statusCommand } from "./status.js";
import { telemetryCommand } from "./telemetry.js";
import { triggerCommand } from "./trigger.js";
import { uploadCommand } from "./upload.js";
import { webhooksCommand } from "./webhooks.js";

/** Heading of their commands in the help. */
const PARTICIPANTS = "Commands of participants:";

/** `curtail` with the commands of participants. */
export const participantProgram = (io: ParticipantIo): Command => {
  const program = new Command("curtail")
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .exitOverride(({ exitCode }) => io.leave(exitCode === 0 ? 0 : EXIT_USAGE));
  program.commandsGroup(PARTICIPANTS);
  for (const each of commands) program.addCommand(each(io));
  return program;
};

const commands = [
  loginCommand,
  logoutCommand,
  statusCommand,
  sitesCommand,
  doctorCommand,
  dispatchesCommand,
  listenCommand,
  logsCommand,
  triggerCommand,
  uploadCommand,
  telemetryCommand,
  scheduleCommand,
  webhooksCommand,
  completionCommand,
] as const;

/** Runs one command of participants in this process; returns its exit code. */
export const runParticipant = (args: readonly string[], io: Omit<ParticipantIo, "leave">): Promise<number> =>
  exitCodeOf((leave) => participantProgram({ ...io, leave }).parseAsync(args, { from: "user" }));
