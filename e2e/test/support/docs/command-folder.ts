import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@curtail/docs";
import { atEnd } from "@curtail/testing/at-end";
import { temporaryFolder } from "../service-process.js";

/** A folder with what a checkout has installed: our commands, in `bin`, and the packages. Removed after the tests. */
export const commandFolder = async (): Promise<string> => {
  const { path, remove } = await temporaryFolder();
  atEnd(remove);
  symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
  const command = `exec ${process.execPath} ${join(root, "packages/server/curtail.mjs")} "$@"`;
  mkdirSync(join(path, "bin"));
  writeFileSync(join(path, "bin", "curtail"), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  writeFileSync(join(path, "bin", "npx"), `#!/bin/sh\nshift\n${command}\n`, { mode: 0o755 });
  return path;
};
