import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type WorkspaceCopy, workspaceCopy } from "./support/workspace-copy.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Everything is compiled once, beside other tests. */
const LONGEST_MS = 600_000;

/** What is in the repository, with links to what is installed; packages find each other in the copy. */
const copied = async (): Promise<WorkspaceCopy> => {
  const names = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n");
  const copy = await workspaceCopy([...new Set(names.map((name) => name.split("/").slice(0, 2).join("/")))]);
  const modules = join(copy.path, "node_modules");
  mkdirSync(join(modules, "@curtail"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")).filter((each) => each !== "@curtail"))
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  for (const name of readdirSync(join(copy.path, "packages")))
    symlinkSync(join(copy.path, "packages", name), join(modules, "@curtail", name));
  return copy;
};

const run = (copy: WorkspaceCopy, command: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: copy.path,
    encoding: "utf8",
    env: { ...process.env, TEST_COMPILED: "" },
  });
  return status === 0 ? "" : `${command} ${args.join(" ")}: ${stdout}${stderr}`;
};

test(
  "a channel made from the template compiles, is in every list, and sends, with no other file changed",
  async () => {
    const copy = await copied();
    expect(run(copy, "scripts/new.mjs", "channel", "pager")).toBe("");
    expect(copy.git("status", "--porcelain", "--untracked-files=all").split("\n")).toEqual([
      "M packages/contract/src/lists/channels.ts",
      " M packages/server/src/notification/channels/registry.ts",
      "?? packages/server/src/notification/channels/pager/pager.ts",
      "?? packages/server/test/notification/channels/pager.test.ts",
    ]);
    const tsc = "node_modules/typescript/bin/tsc";
    expect(run(copy, tsc, "-b", "packages/contract")).toBe("");
    expect(run(copy, "packages/contract/dist/write-openapi.js")).toBe("");
    expect(run(copy, tsc, "-b", "packages/server", "packages/testing", "packages/web")).toBe("");
    expect(run(copy, "node_modules/@biomejs/biome/bin/biome", "check", "packages/server/src/notification")).toBe("");
    const tests = [
      "contract/test/channels",
      "server/test/notification/channels",
      "server/test/notification/http/every-channel",
    ];
    expect(run(copy, "node_modules/vitest/vitest.mjs", "run", ...tests.map((name) => `packages/${name}`))).toBe("");
    expect(copy.git("diff", "--", "docs/admin.md")).toContain("+| `pager`");
  },
  LONGEST_MS,
);
