import { chmod, cp, lstat, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { locatePackage, prepareBinaries } from "../src/binaries.js";
import { copyBinaries } from "../src/binary-copy.js";
import { runCommand } from "../src/command.js";
import { isRoot, silent, temporaryDirectory } from "./fixtures/playground.js";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const nobody = { uid: 65534, gid: 65534 };

/** The package as npm unpacks it when install scripts are off. */
async function unlinkedPackage(): Promise<string> {
  const directory = join(await temporaryDirectory(), "package");
  await cp(locatePackage(), directory, {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  });
  await chmod(dirname(directory), 0o755);
  return directory;
}

/** Copies go here, and are removed after the test. */
async function temporaryRoot(): Promise<void> {
  const root = await temporaryDirectory();
  await chmod(root, 0o755);
  vi.stubEnv("TMPDIR", root);
  onTestFinished(() => void vi.unstubAllEnvs());
}

const versionOf = (root: string, identity: typeof nobody | null) =>
  runCommand({ file: join(root, "native", "bin", "postgres"), args: ["--version"], identity });

test("libraries that no install script linked are linked, by several starts at once", async () => {
  const packageRoot = await unlinkedPackage();
  expect((await versionOf(packageRoot, null)).succeeded).toBe(false);
  const starts = [1, 2, 3].map(() => prepareBinaries({ identity: null, log: silent, packageRoot }));
  for (const { postgres, major } of await Promise.all(starts)) {
    expect(postgres.startsWith(packageRoot)).toBe(true);
    expect(major).toBeGreaterThanOrEqual(18);
  }
});

test.runIf(isRoot)("binaries that the server's user cannot read are copied to where it can", async () => {
  const packageRoot = await unlinkedPackage();
  await chmod(dirname(packageRoot), 0o700);
  await temporaryRoot();
  const { postgres } = await prepareBinaries({ identity: nobody, log: silent, packageRoot });
  expect(postgres.startsWith(packageRoot)).toBe(false);
  expect((await runCommand({ file: postgres, args: ["--version"], identity: nobody })).succeeded).toBe(true);
});

test("copies made at once end as one, readable for all, and later starts use it", async () => {
  const root = await temporaryDirectory();
  const packageRoot = await unlinkedPackage();
  await chmod(join(packageRoot, "native", "bin", "postgres"), 0o700);
  await chmod(join(packageRoot, "native", "share"), 0o700);
  const [copy = "", ...others] = await Promise.all([1, 2, 3].map(() => copyBinaries(packageRoot, root)));
  expect(others).toEqual([copy, copy]);
  expect(await readdir(root)).toHaveLength(1);
  expect((await stat(join(copy, "native", "share"))).mode & 0o777).toBe(0o755);
  expect((await versionOf(copy, null)).succeeded).toBe(true);
  const { ino } = await stat(copy);
  expect((await stat(await copyBinaries(packageRoot, root))).ino).toBe(ino);
});

test("a copy that lost a file to a cleaner is made again", async () => {
  const root = await temporaryDirectory();
  const copy = await copyBinaries(locatePackage(), root);
  await rm(join(copy, "native", "bin", "initdb"));
  const again = await copyBinaries(locatePackage(), root);
  expect((await stat(join(again, "native", "bin", "initdb"))).isFile()).toBe(true);
});

test("a directory that others may write to is not trusted with binaries", async () => {
  const root = await temporaryDirectory();
  const copy = await copyBinaries(locatePackage(), root);
  const { ino } = await stat(copy);
  await chmod(copy, 0o777);
  const again = await copyBinaries(locatePackage(), root);
  expect((await stat(again)).ino).not.toBe(ino);
  expect((await stat(again)).mode & 0o022).toBe(0);
});
