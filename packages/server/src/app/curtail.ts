import { version } from "../platform/runtime/version.js";
import { curtailProgram } from "./program.js";

const program = (await curtailProgram(version, process.argv.slice(2))).description(
  "Demand-response dispatch and telemetry service, and the commands of its participants and operators.",
);
program
  .command("serve")
  .description("run the service; configured by environment variables")
  .action(async () => (await import("./commands/serve.js")).serve());
program.commands
  .find((each) => each.name() === "doctor")
  ?.command("service")
  .description(
    "Check the service of this machine, with its settings, and say what to do; changes nothing. Exit code 1: a check failed.",
  )
  .option("--json", "Print JSON.")
  // Its --json is taken by the command above, wherever it stands.
  .action(async (_options, command) => (await import("./commands/doctor.js")).doctor(command.optsWithGlobals()));
program
  .command("migrate")
  .description("upgrade the database schema to this version; run as the owner of the tables")
  .option("--grant-to <role>", "grant this database role the rights that the service needs, and no more")
  .action(async (options) => (await import("./commands/migrate.js")).migrateOnly(options));
program
  .command("distribute")
  .description(
    "spread readings over the workers of a Citus cluster, by site; run as the owner of the tables, with the service stopped",
  )
  .option("--shards <count>", "shards of each table; default: 8 for each worker")
  .action(async (options) => (await import("./commands/distribute.js")).distributeReadings(options));
program
  .command("rotate-secrets")
  .description(
    "re-encrypt all secrets in the database with the first key of CURTAIL_SECRETS_KEY, or with a new key file",
  )
  .action(async () => (await import("./commands/rotate-secrets.js")).rotateSecrets());

const backup = program
  .command("backup")
  .description("save a running or stopped service in one file; settings as for the service")
  .argument("[file]", "file to write; it may not exist yet")
  .option("--recipient <key...>", "public keys that may open it; default: CURTAIL_BACKUP_RECIPIENTS")
  .option("--no-keys", "leave out the secrets key and the certificate authority, and encrypt nothing")
  .option("--force", "go on where there seems to be too little room")
  .action(async (file, options) => (await import("./commands/backup.js")).backup(file, options));
backup
  .command("keygen")
  .description("make a key that opens backups; prints the recipient to make them for")
  .argument("<file>", "file for the key; it may not exist yet")
  .action(async (file) => (await import("./commands/backup.js")).keygen(file));
backup
  .command("verify")
  .description("restore a backup into a scratch directory, and compare it with what was noted when it was made")
  .argument("<file>", "the backup")
  .option("--key <file>", "key file of a recipient")
  .option("--force", "go on where there seems to be too little room")
  // Its --force is taken by the command above, wherever it stands.
  .action(async (file, _options, command) =>
    (await import("./commands/backup.js")).verify(file, command.optsWithGlobals()),
  );
backup
  .command("hold")
  .description(
    "hold delivery in a database that was restored with PostgreSQL's tools; before the service starts over it",
  )
  .argument("<moment>", "what it was restored to, with a zone: 2026-11-30 14:07:59+00")
  .action(async (moment) => (await import("./commands/backup.js")).hold(moment));
program
  .command("restore")
  .description("make a data directory of a backup")
  .argument("<file>", "the backup")
  .argument("<directory>", "directory to make; it may not exist yet, or is empty")
  .option("--key <file>", "key file of a recipient")
  .option("--force", "go on where there seems to be too little room")
  .action(async (file, directory, options) => (await import("./commands/backup.js")).restore(file, directory, options));

await program.parseAsync();
