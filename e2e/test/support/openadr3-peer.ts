import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { atEnd } from "@curtail/testing/at-end";

/** What a client needs to be driven. */
export interface PeerAccess {
  /** Address of the VTN with its base path. */
  readonly vtnUrl: string;
  readonly id: string;
  readonly secret: string;
}

/** A client of others that runs as a process of its own. */
export interface Openadr3Peer {
  /** Does one step of its driver; returns what the client made of the answer. */
  // oxlint-disable-next-line typescript/no-explicit-any
  do(step: string, argument?: unknown): Promise<any>;
}

export interface Openadr3PeerKind {
  readonly name: string;
  /** Why it cannot be driven here; null if it can. */
  readonly missing: string | null;
  start(access: PeerAccess): Promise<Openadr3Peer>;
}

const driver = (name: string): string => fileURLToPath(new URL(`openadr3-peers/${name}`, import.meta.url));
const tsc = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url));

/** Copies of the clients are in no repository of ours: a folder with `OWNER+NAME` for each. */
const folder = process.env["OPENADR3_PEERS"] ?? "";
const placeOf = (name: string): string => join(folder, name);
const missingIn = (name: string, file: string): string | null => {
  if (folder === "") return "needs OPENADR3_PEERS";
  return existsSync(join(placeOf(name), file)) ? null : `needs ${name} in OPENADR3_PEERS`;
};

const newFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "curtail-peer-"));
  atEnd(async () => rmSync(path, { recursive: true, force: true }));
  return path;
};

const TS_CLIENT = "clean-energy-tools+openadr-3-client";
const PYTHON_VEN = "universaldevices+oadr30";

export const openadr3Peers: readonly Openadr3PeerKind[] = [
  {
    name: "openadr-3-client (TypeScript)",
    missing: missingIn(TS_CLIENT, "node/src/oadr3.ts"),
    async start(access) {
      const work = newFolder();
      writeFileSync(join(work, "package.json"), '{"type":"module"}');
      const source = join(placeOf(TS_CLIENT), "node/src/oadr3.ts");
      const options = ["--outDir", work, "--module", "nodenext", "--target", "es2022", "--noCheck", "--ignoreConfig"];
      execFileSync(tsc, [...options, source]);
      return driven(process.execPath, [driver("node-client.mjs"), join(work, "oadr3.js"), access.vtnUrl], access);
    },
  },
  {
    name: "oadr30 (Python)",
    missing: missingIn(PYTHON_VEN, "oadr30/vtn.py") ?? missingModules(),
    start: async (access) =>
      driven("/usr/bin/python3", [driver("oadr30.py"), placeOf(PYTHON_VEN), access.vtnUrl], {
        ...access,
        work: newFolder(),
      }),
  },
];

function missingModules(): string | null {
  try {
    execFileSync("/usr/bin/python3", ["-c", "import requests, isodate, pytz, tzlocal, dateutil"], { stdio: "ignore" });
    return null;
  } catch {
    return "needs python3-requests, -isodate, -tz, -tzlocal and -dateutil";
  }
}

const driven = async (
  program: string,
  parts: readonly string[],
  { id, secret, work = "" }: PeerAccess & { readonly work?: string },
): Promise<Openadr3Peer> => {
  const child = spawn(program, parts, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { PATH: process.env["PATH"], HOME: work, WORK_FOLDER: work, CLIENT_ID: id, CLIENT_SECRET: secret },
  });
  atEnd(async () => void child.kill("SIGKILL"));
  const answers = answersOf(child);
  return {
    async do(step, argument) {
      child.stdin.write(`${JSON.stringify({ step, argument })}\n`);
      const { value, done } = await answers.next();
      if (done === true) throw new Error(`the client ended before it answered ${step}`);
      return JSON.parse(value);
    },
  };
};

const answersOf = ({ stdout }: ChildProcess): AsyncIterator<string, undefined> => {
  if (stdout === null) throw new Error("the client has no standard output");
  return createInterface({ input: stdout })[Symbol.asyncIterator]() as AsyncIterator<string, undefined>;
};
