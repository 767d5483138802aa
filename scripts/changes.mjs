// What changed in the checkout since it left main.
import { spawnSync } from "node:child_process";
import { root } from "./built-once.mjs";

const git = (...args) => {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout : null;
};

const linesOf = (text) => text.split("\n").filter((line) => line !== "");

/** Where HEAD left main. */
const whereItLeft = () => (git("merge-base", "HEAD", "origin/main") ?? git("merge-base", "HEAD", "main"))?.trim();

/**
 * Paths that differ from a commit, with what is not committed. Unless it is given, the commit is that at which HEAD left main:
 * on main itself these are uncommitted ones only.
 *
 * @returns null without that history, as in a shallow clone: nobody knows what changed
 */
export const changedFiles = (base = whereItLeft()) => {
  const changed = base === undefined ? null : git("diff", "--name-only", "--no-renames", base);
  const added = git("ls-files", "--others", "--exclude-standard");
  return changed === null || added === null ? null : [...linesOf(changed), ...linesOf(added)];
};
