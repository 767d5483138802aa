import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { root } from "@curtail/docs";

const run = promisify(execFile);

/** Versions that the documents are tested with. */
const PYTHON = ["openapi-python-client==0.29.0", "mypy==2.4.1"];
const NPM = ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3"];

const programs = fileURLToPath(new URL(".", import.meta.url));

/** The documents by the name of the client that is made of each. */
const documents = { operator: "/operator/v1/openapi.json", participant: "/2022-04-15/openapi.json" } as const;
export type ClientName = keyof typeof documents;
export const clientNames = Object.keys(documents) as readonly ClientName[];

/** A folder with the documents as a service sends them, `operator.json` and `participant.json`. */
export const fetchDocuments = async (folder: string, url: string): Promise<void> => {
  for (const name of clientNames)
    await writeFile(join(folder, `${name}.json`), await (await fetch(url + documents[name])).text());
};

export interface Ran {
  readonly code: number;
  readonly output: string;
}

const attempt = async (folder: string, command: string, args: readonly string[]): Promise<Ran> => {
  try {
    const { stdout, stderr } = await run(command, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: number; stdout?: string; stderr?: string };
    return { code: typeof code === "number" ? code : 1, output: `${stdout}${stderr}` || String(error) };
  }
};

/** Installs and runs a generator's tools in a folder. */
export interface Tools {
  readonly name: string;
  /** Null if they are there; otherwise why not. */
  install(folder: string): Promise<string | null>;
  /** Makes a client of `NAME.json`. */
  generate(folder: string, name: ClientName): Promise<Ran>;
  /** Strict types of the clients and of the program that uses them. */
  check(folder: string): Promise<Ran>;
  call(folder: string, args: readonly string[]): Promise<Ran>;
}

const why = ({ code, output }: Ran): string | null => (code === 0 ? null : (output.trim().split("\n").at(-1) ?? ""));

/** Installed for the first run, like Node-RED: it takes a third of the processor time of these tests. */
const placeOf = (...versions: readonly string[]): string => {
  const digest = createHash("sha256").update(versions.join(" ")).digest("hex").slice(0, 12);
  return join(root, `node_modules/.cache/typed-clients-${digest}`);
};

const installedIn = async (
  place: string,
  install: (draft: string) => Promise<string | null>,
): Promise<string | null> => {
  if (existsSync(place)) return null;
  await mkdir(dirname(place), { recursive: true });
  const draft = await mkdtemp(`${place}-`);
  const missing = await install(draft);
  // Another run may have been faster.
  if (missing === null) await rename(draft, place).catch(() => {});
  await rm(draft, { recursive: true, force: true });
  return missing;
};

/** Its programs are run as modules: their own files name the folder that they were installed in. */
const inVenv = (folder: string, ...args: readonly string[]): Promise<Ran> =>
  attempt(folder, join(folder, "venv/bin/python"), args);

export const python: Tools = {
  name: "openapi-python-client",
  async install(folder) {
    const { code, output } = await attempt(folder, "python3", ["--version"]);
    if (code !== 0) return output;
    const place = placeOf(output, ...PYTHON);
    const missing = await installedIn(place, async (draft) => {
      const made = why(await attempt(draft, "python3", ["-m", "venv", "venv"]));
      // What is used of them is compiled then.
      const options = ["--quiet", "--no-compile", "--disable-pip-version-check"];
      return made ?? why(await inVenv(draft, "-m", "pip", "install", ...options, ...PYTHON));
    });
    if (missing === null) await symlink(join(place, "venv"), join(folder, "venv"));
    return missing;
  },
  async generate(folder, name) {
    // Its formatter is another program, which is not needed.
    await writeFile(join(folder, `${name}.yaml`), "post_hooks: []\n");
    const [from, to] = [`${name}.json`, `${name}_client`];
    const how = ["--meta", "none", "--config", `${name}.yaml`];
    return inVenv(folder, "-m", "openapi_python_client", "generate", "--path", from, "--output-path", to, ...how);
  },
  async check(folder) {
    await cp(join(programs, "calls.py"), join(folder, "calls.py"));
    const packages = clientNames.flatMap((name) => ["-p", `${name}_client`]);
    return inVenv(folder, "-m", "mypy", "--cache-dir=/dev/null", "--strict", ...packages, "-m", "calls");
  },
  call: (folder, args) => inVenv(folder, "calls.py", ...args),
};

export const typescript: Tools = {
  name: "openapi-typescript",
  async install(folder) {
    const place = placeOf(...NPM);
    const missing = await installedIn(place, async (draft) => {
      await writeFile(join(draft, "package.json"), JSON.stringify({ private: true }));
      return why(await attempt(draft, "npm", ["install", "--no-audit", "--no-fund", "--no-package-lock", ...NPM]));
    });
    if (missing === null) await symlink(join(place, "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    return missing;
  },
  generate: (folder, name) =>
    attempt(folder, "node_modules/.bin/openapi-typescript", [`${name}.json`, "--output", `${name}.d.ts`]),
  async check(folder) {
    await cp(join(programs, "calls.mts"), join(folder, "calls.mts"));
    const strict = ["--strict", "--module", "nodenext", "--target", "es2023", "--allowImportingTsExtensions"];
    return attempt(folder, "node_modules/.bin/tsc", [...strict, "--rewriteRelativeImportExtensions", "calls.mts"]);
  },
  call: (folder, args) => attempt(folder, process.execPath, ["calls.mjs", ...args]),
};
