import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type WorkspaceCopy, workspaceCopy } from "./workspace-copy.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** What is in the repository, with links to what is installed; packages find each other in the copy. */
export const installedCopy = async (): Promise<WorkspaceCopy> => {
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

/** Runs a program of the copy; returns what it said if it failed, and "" otherwise. */
export const complaints = ({ path }: WorkspaceCopy, command: string, ...args: string[]): string => {
  const env = { ...process.env, TEST_COMPILED: "" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: path,
    encoding: "utf8",
    env,
  });
  return status === 0 ? "" : `${command} ${args.join(" ")}: ${stdout}${stderr}`;
};
