import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { matchesAny } from "../../../scripts/globs.mjs";
import {
  copied,
  environmentOf,
  listIn,
  type ParsedContainerfile,
  parseContainerfile,
  type Stage,
  textsOf,
} from "./containerfile.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What the image would have. */
export interface Built {
  /** Its root folder. */
  readonly root: string;
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly user: { readonly uid: number; readonly gid: number };
}

/**
 * Runs the steps of the Containerfile in folders, without a builder of images: the system and the Node.js of this machine are in
 * place of those of its base image.
 */
export const buildInFolders = (folder: string): Built => {
  const parsed = parseContainerfile(readFileSync(join(root, "Containerfile"), "utf8"));
  const context = contextIn(folder);
  const folders = new Map<string, string>();
  for (const stage of parsed.stages) folders.set(stage.name, runStage(stage, { folder, context, folders }));
  return builtOf(parsed, folders);
};

/** Files of the checkout that are committed or new, without those that .dockerignore names. */
const contextIn = (folder: string): string => {
  const context = join(folder, "context");
  const ignored = readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .flatMap((line) => [line, `${line}/**`]);
  const git = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", git, { cwd: root, encoding: "utf8", maxBuffer: 1e8 }).trim().split("\n");
  for (const file of files) {
    if (matchesAny(file, ignored) || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(context, file)), { recursive: true });
    cpSync(join(root, file), join(context, file));
  }
  return context;
};

interface Running {
  readonly folder: string;
  readonly context: string;
  readonly folders: ReadonlyMap<string, string>;
}

const runStage = (stage: Stage, { folder, context, folders }: Running): string => {
  const own = mkdtempSync(join(folder, `stage-${stage.name}-`));
  chmodSync(own, 0o755);
  let workdir = "/";
  for (const { name, text } of stage.instructions) {
    if (name === "WORKDIR") mkdirSync(join(own, (workdir = text)), { recursive: true });
    if (name === "COPY") copyInto(join(own, workdir), text, { context, folders });
    if (name === "RUN") runIn(own, workdir, text);
  }
  return own;
};

const copyInto = (workdir: string, text: string, { context, folders }: Omit<Running, "folder">): void => {
  const { from, sources, target } = copied(text);
  const origin = from === null ? context : (folders.get(from) ?? "");
  for (const source of sources) {
    const isFolder = target.endsWith("/");
    const to = join(workdir, target, isFolder ? basename(source) : "");
    // -T: into the folder, not below it. -a: with its times, by which the service knows that its bundle is current.
    execFileSync("cp", ["-aT", join(origin, source), to]);
  }
};

/** Absolute paths are those of the image. */
const runIn = (own: string, workdir: string, text: string): void => {
  mkdirSync(join(own, "var/lib"), { recursive: true });
  execFileSync("sh", ["-ec", text.replaceAll("/var/lib/curtail", join(own, "var/lib/curtail"))], {
    cwd: join(own, workdir),
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
    stdio: ["ignore", "ignore", "inherit"],
    maxBuffer: 1e8,
  });
};

const builtOf = ({ stages }: ParsedContainerfile, folders: ReadonlyMap<string, string>): Built => {
  const last = stages.at(-1);
  const own = folders.get(last?.name ?? "") ?? "";
  const [uid = 0, gid = 0] = (textsOf(last, "USER").at(-1) ?? "").split(":").map(Number);
  return {
    root: own,
    workdir: join(own, textsOf(last, "WORKDIR").at(-1) ?? ""),
    environment: environmentOf(last),
    command: listIn(textsOf(last, "CMD").at(-1) ?? "") ?? [],
    healthCheck: listIn(textsOf(last, "HEALTHCHECK").at(-1) ?? "") ?? [],
    user: { uid, gid },
  };
};
