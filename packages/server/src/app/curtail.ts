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
program.command("serve").description("run the service; settings come from the environment").action(serve);
program
  .command("migrate")
  .description("bring the database schema up to this build; as the owner of its tables")
  .option("--grant-to <role>", "let this role of the database do what the service does, and no more")
  .action(migrateOnly);
program
  .command("rotate-secrets")
  .description("encrypt all secrets in the database with the first key of CURTAIL_SECRETS_KEY, or a new key file")
  .action(rotateSecrets);
program.addCommand(adminCommand(processIo(() => readAdminSettings())));

await program.parseAsync();
