import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@curtail/testing/free-port";
import { temporaryFolder } from "./service-process.js";

/** A PostgreSQL as operators have it: installed by the system, with TCP and a password. */
export interface SystemDatabase {
  readonly url: string;
  /** Kills it without warning. */
  kill(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

export const startSystemPostgres = async (bin: string): Promise<SystemDatabase> => {
  const folder = await temporaryFolder();
  const data = join(folder.path, "data");
  // PostgreSQL refuses root, so it then runs as its own user.
  const identity = process.getuid?.() === 0 ? userOf("postgres") : null;
  if (identity !== null) await chown(folder.path, identity.uid, identity.gid);
  const passwordFile = join(folder.path, "password");
  await writeFile(passwordFile, "secret\n");
  const options = ["-D", data, "-U", "operator", "-E", "UTF8", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  execFileSync(join(bin, "initdb"), options, { cwd: folder.path, ...identity });
  const port = await freePort();
  let server: ChildProcess | undefined;
  const database: SystemDatabase = {
    url: `postgresql://operator:secret@127.0.0.1:${port}/postgres`,
    async start() {
      const settings = ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", folder.path];
      server = spawn(join(bin, "postgres"), settings, { cwd: folder.path, stdio: "ignore", ...identity });
      await untilReady(bin, port);
    },
    async kill() {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      server.kill("SIGQUIT");
      await once(server, "exit");
    },
    async remove() {
      await this.kill();
      await folder.remove();
    },
  };
  await database.start();
  return database;
};

const userOf = (name: string): { uid: number; gid: number } => {
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, name], { encoding: "utf8" })));
  return { uid: uid ?? 0, gid: gid ?? 0 };
};

const untilReady = async (bin: string, port: number): Promise<void> => {
  for (;;) {
    try {
      execFileSync(join(bin, "pg_isready"), ["-q", "-h", "127.0.0.1", "-p", String(port)]);
      return;
    } catch {
      await sleep(100);
    }
  }
};
