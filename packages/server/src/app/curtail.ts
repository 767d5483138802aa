import { adminCommand, PARTICIPANTS, participantProgram, processIo, processParticipantIo } from "@curtail/cli";
import { readAdminSettings } from "../platform/runtime/config.js";
import { version } from "../platform/runtime/version.js";

// Each command loads what it needs: a call to the operator API takes half the time without the service.
const program = participantProgram(processParticipantIo())
  .description("Demand-response dispatch and telemetry service, and the commands of its participants and operators.")
  .version(version);
program.commandsGroup("Commands of operators:");
program
  .command("serve")
  .description("run the service; configured by environment variables")
  .action(async () => (await import("./serve.js")).serve());
program
  .command("migrate")
  .description("upgrade the database schema to this version; run as the owner of the tables")
  .option("--grant-to <role>", "grant this database role the rights that the service needs, and no more")
  .action(async (options) => (await import("./migrate.js")).migrateOnly(options));
program
  .command("rotate-secrets")
  .description(
    "re-encrypt all secrets in the database with the first key of CURTAIL_SECRETS_KEY, or with a new key file",
  )
  .action(async () => (await import("./rotate-secrets.js")).rotateSecrets());
program
  .command("agent")
  .helpGroup(PARTICIPANTS)
  .description("run beside a building: upload its meters' readings, and write what dispatches ask for (docs/agent.md)")
  .requiredOption("--config <file>", "YAML file that names the service, meters and outputs")
  .option("--dry-run", "read meters and dispatches, and print what would be uploaded and written")
  .option("--check", "read each point once, print it, and end")
  .action(async (options) => (await import("./agent.js")).agent(options));
program.addCommand(adminCommand(processIo(() => readAdminSettings())));

await program.parseAsync();
