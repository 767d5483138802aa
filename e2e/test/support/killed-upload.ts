import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
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

/** How a run ended: with an exit code, and what it said. */
interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

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
      else this.ended = ended;
    }
  }

  /** Runs until all of the file is uploaded; returns how the last run ended. */
  async finish(): Promise<Ended> {
    while (this.ended === null || this.ended.code === AWAY) this.ended = await endOf(this.spawned());
    return this.ended;
  }

  private spawned(): ChildProcess {
    const { file, by, uploader, access } = this.source;
    const upload = [command, "upload", by === "-" ? "-" : file, "--set-aside", setAsideOf({ file })];
    const input = by === "-" ? openSync(file, "r") : null;
    const child = spawn(process.execPath, uploader === "careless" ? [careless, file] : upload, {
      stdio: [input ?? "ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: `${file}.home`, CURTAIL_URL: access.url, CURTAIL_API_KEY: access.key },
    });
    if (input !== null) closeSync(input);
    atEnd(async () => void child.kill("SIGKILL"));
    return child;
  }

  /** It writes its progress before it sends: a kill from then on falls into the upload. */
  private async begun(child: ChildProcess): Promise<void> {
    const { by, file } = this.source;
    if (by === "-") return;
    while (child.exitCode === null && !existsSync(`${file}.upload.json`)) await sleep(5);
  }
}

const endOf = async (child: ChildProcess): Promise<Ended> => {
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (chunk: Buffer) => (said[name] += chunk.toString()));
  await once(child, "close");
  return { code: child.exitCode, ...said };
};
