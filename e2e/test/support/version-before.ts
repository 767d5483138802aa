import { execFileSync } from "node:child_process";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What an upgrade begins from as long as no version is released; its statements bear columns that are added. */
const BEFORE_THE_FIRST_RELEASE = "7521fafa3737eb68213d79bd9d98b0d2fff3bfc7";

const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

const unless = <T>(ask: () => T, instead: T): T => {
  try {
    return ask();
  } catch {
    return instead;
  }
};

/** The release before this one; null where this checkout has no history to take it from. */
export const versionBefore = (): string | null => {
  if (unless(() => git("rev-parse", "--is-shallow-repository"), "true") === "true") return null;
  return unless(() => git("describe", "--tags", "--abbrev=0", "HEAD^"), BEFORE_THE_FIRST_RELEASE);
};

/** Builds the service of a commit in a folder, with the installed packages of this checkout; answers its command. */
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

/** As npm does it for a workspace: its own packages are those of the folder. */
const linkPackages = async (folder: string): Promise<void> => {
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "@curtail"), { recursive: true });
  const installed = (await readdir(join(root, "node_modules"))).filter((name) => name !== "@curtail");
  await Promise.all(installed.map((name) => symlink(join(root, "node_modules", name), join(modules, name))));
  for (const name of await readdir(join(folder, "packages")))
    await symlink(join(folder, "packages", name), join(modules, "@curtail", name));
};
