import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The upgrade starts from here until there is an earlier release; its statements tolerate added columns. */
const BEFORE_THE_FIRST_RELEASE = "7521fafa3737eb68213d79bd9d98b0d2fff3bfc7";

const MIGRATIONS = "packages/server/migrations/";

const git = (folder: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

/** Also true outside a repository. */
const isShallow = (folder: string): boolean => {
  try {
    return git(folder, "rev-parse", "--is-shallow-repository") === "true";
  } catch {
    return true;
  }
};

/** The previous release; null if this checkout has no history. */
export const versionBefore = (folder = root): string | null => {
  if (isShallow(folder)) return null;
  // Not a tag of this commit itself: a release is upgraded from the previous one.
  const releases = ["tag", "--list", "v*", "--merged", "HEAD", "--no-contains", "HEAD", "--sort=-version:refname"];
  // A clone without tags has the commit that set the version.
  const commits = git(folder, "log", "--format=%H", "--grep=^release: set the version to ").split("\n");
  const [commit] = commits.filter((each) => each !== git(folder, "rev-parse", "HEAD"));
  return git(folder, ...releases).split("\n")[0] || commit || BEFORE_THE_FIRST_RELEASE;
};

/** Names of the migrations since a version that break its processes, oldest first. */
export const breakingSince = async (commit: string): Promise<readonly string[]> => {
  const known = new Set(git(root, "ls-tree", "--name-only", commit, MIGRATIONS).split("\n"));
  const added = (await readdir(join(root, MIGRATIONS)))
    .map((name) => MIGRATIONS + name)
    .filter((path) => !known.has(path));
  const breaking = [];
  for (const path of added.toSorted())
    if ((await readFile(join(root, path), "utf8")).startsWith("-- breaks: yes")) breaking.push(basename(path, ".sql"));
  return breaking;
};

/** Builds the service of a commit in a folder, with this checkout's installed packages; returns its command. */
export const buildVersion = async (commit: string, folder: string): Promise<string> => {
  await mkdir(folder);
  const archive = execFileSync("git", ["archive", commit, "tsconfig.base.json", "packages"], {
    cwd: root,
    maxBuffer: 100_000_000,
  });
  execFileSync("tar", ["x"], { cwd: folder, input: archive });
  await linkPackages(folder);
  execFileSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, "-b", "packages/server", "--noCheck"], {
    cwd: folder,
  });
  return join(folder, "packages/server/curtail.mjs");
};

/** As npm does for a workspace: its own packages are those of the folder. */
const linkPackages = async (folder: string): Promise<void> => {
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "@curtail"), { recursive: true });
  const installed = (await readdir(join(root, "node_modules"))).filter((name) => name !== "@curtail");
  await Promise.all(installed.map((name) => symlink(join(root, "node_modules", name), join(modules, name))));
  for (const name of await readdir(join(folder, "packages")))
    await symlink(join(folder, "packages", name), join(modules, "@curtail", name));
};
