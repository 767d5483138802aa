import { ADMIN_SUMMARY, participantProgram, processIo, processParticipantIo } from "@curtail/cli";

/** The command of a program; commander itself belongs to the package of the commands. */
type Program = ReturnType<typeof participantProgram>;

/**
 * `curtail` with the commands that need no service of their own: what is installed elsewhere has these only. Each command
 * loads what it needs.
 *
 * @param words the command line
 */
export const curtailProgram = async (version: string, words: readonly string[]): Promise<Program> => {
  const program = participantProgram(processParticipantIo())
    .description("Commands for participants and operators of a Curtail service.")
    .version(version);
  program
    .command("agent")
    .description("run in a building: upload its meters' readings, and write what dispatches ask for (docs/agent.md)")
    .argument("[file]", "the same as --config")
    .option("--config <file>", "YAML file that names the service, meters and outputs")
    .option("--dry-run", "read meters and dispatches, and print what would be uploaded and written")
    .option("--check", "read each point once, print it, and end")
    .option("--rehearse", "play a day with this configuration, without any device or service, and print a timeline")
    .option("--at <date>", "day to rehearse: YYYY-MM-DD; the next one on which clocks are changed")
    .option("--timezone <zone>", "time zone of the site, such as Europe/Berlin; that of this machine")
    .option("--json", "print the rehearsal as JSON")
    .action(async (file, options) => (await import("./commands/agent.js")).agent({ config: file, ...options }));
  program.commandsGroup("Commands of operators:");
  if (concernsAdmin(words)) await addAdmin(program);
  else program.command("admin").description(ADMIN_SUMMARY);
  return program;
};

/** Whether more than the name of `curtail admin` is needed: loading it takes as long as all the rest. */
const concernsAdmin = (words: readonly string[]): boolean =>
  ["admin", "completion", "help"].includes(words.find((word) => !word.startsWith("-")) ?? "");

const addAdmin = async (program: Program): Promise<void> => {
  const [{ adminCommand }, { readAdminSettings }] = await Promise.all([
    import("@curtail/cli/admin"),
    import("../platform/runtime/config.js"),
  ]);
  program.addCommand(adminCommand(processIo(() => readAdminSettings())));
};
