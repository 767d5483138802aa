import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { atEnd } from "@curtail/testing/at-end";
import { command } from "./service-process.js";

const careless = fileURLToPath(new URL("careless-upload.mjs", import.meta.url));

export interface UploadSource {
  /** A file of NDJSON. */
  readonly file: string;
  /** `-` is standard input. */
  readonly by: "name" | "-";
  readonly uploader: "curtail" | "careless";
  readonly access: { readonly url: string; readonly key: string };
}

/** File with what the service refused. */
export const setAsideOf = ({ file }: Pick<UploadSource, "file">): string => `${file}.aside`;

const LONGEST_RUN_MS = 400;
const AWAY = 4;

/** How a run ended: with an exit code, null if a signal ended it, and what it said. */
interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The service was away, or someone ended the run: neither is an end of the upload. */
const isToRepeat = ({ code }: Ended): boolean => code === null || code === AWAY;

/** An uploader of one file, which is killed and started again until it has ended by itself. */
export class KilledUpload {
  kills = 0;
  private ended: Ended | null = null;

  constructor(private readonly source: UploadSource) {}

  /** Kills the next `count` runs at random moments, if they do not end before. */
  async kill(count: number): Promise<void> {
    for (let run = 0; run < count && this.ended === null; run++) {
      const child = this.spawned();
      const end = endOf(child);
      await this.begun(child);
      await sleep(Math.random() * LONGEST_RUN_MS);
      child.kill("SIGKILL");
      const ended = await end;
      if (child.signalCode === "SIGKILL") this.kills += 1;
      if (!isToRepeat(ended)) this.ended = ended;
    }
  }

  /** Runs until the upload has ended; returns how. */
  async finish(): Promise<Ended> {
    while (this.ended === null) {
      const ended = await endOf(this.spawned());
      if (!isToRepeat(ended)) this.ended = ended;
    }
    return this.ended;
  }

  private spawned(): ChildProcess {
    const { file, by, uploader, access } = this.source;
    const upload = [command, "upload", by === "-" ? "-" : file, "--set-aside", setAsideOf({ file })];
    const input = by === "-" ? openSync(file, "r") : null;
    const child = spawn(process.execPath, uploader === "careless" ? [careless, file] : upload, {
      stdio: [input ?? "ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: homeOf(file), CURTAIL_URL: access.url, CURTAIL_API_KEY: access.key },
    });
    if (input !== null) closeSync(input);
    atEnd(async () => void child.kill("SIGKILL"));
    return child;
  }

  /** It writes its progress before it sends, and what comes from standard input: a kill from then on falls into the upload. */
  private async begun(child: ChildProcess): Promise<void> {
    const { by, file } = this.source;
    const hasBegun = (): boolean => (by === "-" ? spoolOf(file) !== null : existsSync(`${file}.upload.json`));
    while (child.exitCode === null && child.signalCode === null && !hasBegun()) await sleep(5);
  }
}

const homeOf = (file: string): string => `${file}.home`;

/** The only spool in the home of an upload; null before there is one. */
const spoolOf = (file: string): string | null => {
  const state = join(homeOf(file), ".local", "state", "curtail");
  const [folder] = existsSync(state) ? readdirSync(state) : [];
  const spool = folder === undefined ? null : join(state, folder, "telemetry");
  return spool !== null && existsSync(spool) ? spool : null;
};

const endOf = async (child: ChildProcess): Promise<Ended> => {
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (chunk: Buffer) => (said[name] += chunk.toString()));
  await once(child, "close");
  return { code: child.exitCode, ...said };
};
