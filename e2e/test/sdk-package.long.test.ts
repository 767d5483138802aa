import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, test } from "vitest";

import { command, expectTyped, LIBRARIES, type PackedLibraries, packLibraries } from "./support/packed-libraries.js";

const run = promisify(execFile);

let libraries: PackedLibraries;
beforeAll(async () => {
  libraries = await packLibraries();
});

test.for(LIBRARIES)("publint and Are The Types Wrong find no fault in %s", async (name) => {
  const tarball = libraries.tarballs.get(name) ?? "";
  await run(command("publint"), [tarball, "--strict"]);
  // Resolution before Node 12 knows no subpaths.
  await run(command("attw"), [tarball, "--profile", "node16", "--no-definitely-typed"]);
});

test.for([
  ["node16", "node16", "typed.cts"],
  ["nodenext", "nodenext", "typed.mts"],
  ["nodenext", "nodenext", "typed.cts"],
  ["esnext", "bundler", "typed.ts"],
  ["commonjs", "bundler", "typed.ts"],
] as const)("their types work with module %s and resolution %s in %s", (options) => expectTyped(libraries, options));
