import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { givenBinaries } from "../src/binaries.js";
import { temporaryDirectory } from "./fixtures/playground.js";

// A database that such programs run: given-programs.long.test.ts.
test("a folder without programs, or with a PostgreSQL that is too old, is refused with what to do", async () => {
  const folder = await temporaryDirectory();
  await expect(givenBinaries(folder, null)).rejects.toThrow(`There is no PostgreSQL in ${folder} that runs here`);
  await writeFile(join(folder, "postgres"), "#!/bin/sh\necho 'postgres (PostgreSQL) 14.2'\n");
  await chmod(join(folder, "postgres"), 0o755);
  await expect(givenBinaries(folder, null)).rejects.toThrow(`${folder} has PostgreSQL 14. Curtail needs 15 or newer.`);
});
