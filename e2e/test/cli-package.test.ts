import { join } from "node:path";
import { describe } from "vitest";
import { writeCli } from "../../scripts/pack-cli.mjs";
import { testCommand } from "./support/test-command.js";

// Its other commands, and as a package: cli-package.long.test.ts.
describe("the command as a file", () => {
  testCommand("file", async (folder) => [process.execPath, await writeCli(join(folder, "file"))], false);
});
