import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "@curtail/docs";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, describe, expect, test } from "vitest";
import { packCli, writeCli } from "../../scripts/pack-cli.mjs";
import { temporaryFolder } from "./support/service-process.js";
import { BUILDING_MS, testCommand } from "./support/test-command.js";

const run = promisify(execFile);

const packed = async (folder: string): Promise<string> => {
  const installed = join(folder, "installed");
  await mkdir(installed);
  await writeFile(join(installed, "package.json"), '{"name":"participant","private":true}');
  const tarball = await packCli(join(folder, "packed"));
  // Offline: a dependency would fail.
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: installed, stdio: "pipe" });
  return tarball;
};

const modulesIn = (folder: string): string => join(folder, "installed/node_modules");

describe("the command as an npm package", () => {
  let folder = "";
  let tarball = "";
  beforeAll(async () => {
    const { path, remove } = await temporaryFolder();
    atEnd(remove);
    folder = path;
    tarball = await packed(path);
  }, BUILDING_MS);

  const installed = (): string => modulesIn(folder);

  test("publint finds no fault", async () => {
    await run(join(root, "node_modules/.bin/publint"), [tarball, "--strict"]);
  });

  test("it brings no other package, and the licences of those that are in it", () => {
    expect(readdirSync(installed()).filter((name) => !name.startsWith("."))).toEqual(["@curtail"]);
    expect(readdirSync(join(installed(), "@curtail"))).toEqual(["cli"]);
    const own = join(installed(), "@curtail/cli");
    const manifest = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as Record<string, unknown>;
    for (const member of ["dependencies", "devDependencies", "optionalDependencies", "private", "exports"])
      expect(manifest).not.toHaveProperty(member);
    expect(existsSync(join(own, "LICENSE"))).toBe(true);
    const licences = readFileSync(join(own, "LICENSES-THIRD-PARTY"), "utf8");
    for (const name of ["commander", "modbus-serial", "mqtt", "typebox", "undici", "yaml"])
      expect(licences).toMatch(new RegExp(`^${name} [\\d.]+ \\((MIT|ISC)\\)$`, "m"));
  });
});

describe("the command as a file", () => {
  testCommand("file", async (folder) => [process.execPath, await writeCli(join(folder, "file"))]);
});

describe("the command as a package", () => {
  testCommand("package", async (folder) => {
    await packed(folder);
    return [join(modulesIn(folder), ".bin/curtail")];
  });
});
