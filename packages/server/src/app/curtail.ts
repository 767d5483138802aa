import { version } from "../platform/runtime/version.js";
import { curtailProgram } from "./program.js";

const program = (await curtailProgram(version, process.argv.slice(2))).description(
  "Demand-response dispatch and telemetry service, and the commands of its participants and operators.",
);
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

await program.parseAsync();
