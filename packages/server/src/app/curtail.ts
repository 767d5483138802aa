import { readFileSync } from "node:fs";
import { adminCommand, processIo } from "@curtail/cli";
import { Command } from "commander";
import { readAdminSettings } from "../platform/runtime/config.js";
import { migrateOnly } from "./migrate.js";
import { rotateSecrets } from "./rotate-secrets.js";
import { serve } from "./serve.js";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const program = new Command("curtail").description("Demand-response dispatch and telemetry service.").version(version);
program.command("serve").description("run the service; configured by environment variables").action(serve);
program
  .command("migrate")
  .description("upgrade the database schema to this version; run as the owner of the tables")
  .option("--grant-to <role>", "grant this database role the rights that the service needs, and no more")
  .action(migrateOnly);
program
  .command("rotate-secrets")
  .description(
    "re-encrypt all secrets in the database with the first key of CURTAIL_SECRETS_KEY, or with a new key file",
  )
  .action(rotateSecrets);
program.addCommand(adminCommand(processIo(() => readAdminSettings())));

await program.parseAsync();
