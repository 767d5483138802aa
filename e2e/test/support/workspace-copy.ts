import { execFileSync } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atEnd } from "@curtail/testing/at-end";
import { temporaryFolder } from "./service-process.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export interface WorkspaceCopy {
  readonly path: string;
  git(...args: string[]): string;
}

/** A repository with one commit, with copies of these files and folders of the checkout. */
export const workspaceCopy = async (names: readonly string[]): Promise<WorkspaceCopy> => {
  const { path, remove } = await temporaryFolder();
  atEnd(remove);
  for (const name of names) await cp(join(root, name), join(path, name), { recursive: true });
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: path, encoding: "utf8" }).trim();
  git("init", "--quiet");
  git("config", "user.name", "Ann");
  git("config", "user.email", "ann@example.com");
  git("config", "commit.gpgsign", "false");
  git("add", "--all");
  git("commit", "--quiet", "--message", "all: begin");
  return { path, git };
};
