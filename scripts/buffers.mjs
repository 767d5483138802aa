// Holds every statement to its budget of buffers over a store with the whole past, and prints what each touches. With
// --when-changed, only if SQL changed since the branch left main.
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const git = (...args) => {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
};

/** Where SQL is, and what makes the store. */
const SQL =
  /^packages\/server\/(?:migrations\/|src\/(?:.+\/storage|platform\/database)\/|test\/support\/buffers\/|test\/app\/buffers)/;

/** Without history nobody knows: then it counts as changed. */
const hasChanged = () => {
  const left = git("merge-base", "HEAD", "origin/main") ?? git("merge-base", "HEAD", "main");
  const base = left === git("rev-parse", "HEAD") ? git("rev-parse", "HEAD~1") : left;
  const files = base === null ? null : git("diff", "--name-only", base);
  return files === null || files.split("\n").some((file) => SQL.test(file));
};

if (process.argv.includes("--when-changed") && !hasChanged()) {
  process.stdout.write("no SQL changed: the budget of buffers is held by the tenth of the store only\n");
} else {
  const args = [
    "run",
    "--project",
    "slow",
    "packages/server/test/app/buffers.slow.test.ts",
    "--disable-console-intercept",
  ];
  const env = { ...process.env, TEST_BUFFERS: "whole" };
  const { status } = spawnSync(process.execPath, [`${root}/node_modules/vitest/vitest.mjs`, ...args], {
    cwd: root,
    stdio: "inherit",
    env,
  });
  process.exit(status ?? 1);
}
