import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port.js";

const INSTALLED = "/usr/lib/postgresql";
const OLDEST = 15;

/** Folder of the programs of the oldest supported PostgreSQL that Debian or Ubuntu installed; null if there is none. */
export const systemPostgres = (): string | null => {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).map(Number) : [];
  const usable = versions.filter((version) => version >= OLDEST).toSorted((a, b) => a - b);
  return usable[0] === undefined ? null : join(INSTALLED, String(usable[0]), "bin");
};

/** PostgreSQL refuses root, so as root its programs run as its own user; null: as the user of the tests. */
export const postgresUser = (): { readonly uid: number; readonly gid: number } | null => {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" })));
  return { uid: uid ?? 0, gid: gid ?? 0 };
};

/** A folder of the user that PostgreSQL runs as. */
export const postgresFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-postgres-"));
  const user = postgresUser();
  if (user !== null) await chown(folder, user.uid, user.gid);
  return folder;
};

/** A PostgreSQL as operators have it: installed by the system, with TCP and a password. */
export interface SystemDatabase {
  readonly url: string;
  /** Kills it without warning. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Makes a standby that streams from it through a slot; `name` is that of both. */
  addStandby(name: string): Promise<Standby>;
  /** With its standbys. */
  remove(): Promise<void>;
}

export interface Standby extends Pick<SystemDatabase, "url" | "kill" | "start"> {
  /** Ends its recovery: it is a primary then. */
  promote(): void;
}

export const startSystemPostgres = async (bin: string): Promise<SystemDatabase> => {
  const folder = await postgresFolder();
  const run = (program: string, args: readonly string[]): unknown =>
    execFileSync(join(bin, program), args, { cwd: folder, stdio: "ignore", ...postgresUser() });
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, "secret\n");
  run("initdb", ["-D", data, "-U", "operator", "-E", "UTF8", "--auth=scram-sha-256", `--pwfile=${passwordFile}`]);
  const primary = await serverOf({ bin, folder, data });
  await primary.start();
  const standbys: Standby[] = [];
  return {
    ...primary,
    async addStandby(name) {
      const own = join(folder, name);
      const from = `${primary.url}?application_name=${name}`;
      run("pg_basebackup", ["-d", from, "-D", own, "-R", "-C", "-S", name, "-c", "fast"]);
      const server = await serverOf({ bin, folder, data: own });
      await server.start();
      const standby = { ...server, promote: () => void run("pg_ctl", ["promote", "-w", "-D", own]) };
      standbys.push(standby);
      return standby;
    },
    async remove() {
      for (const server of [...standbys, primary]) await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

interface ServerFiles {
  readonly bin: string;
  readonly folder: string;
  readonly data: string;
}

/** A server that can be killed and started again. */
export type KillableServer = Pick<Standby, "url" | "kill" | "start">;

/** A server over a data directory, which is not started yet. */
export const serverOf = async ({ bin, folder, data }: ServerFiles): Promise<KillableServer> => {
  const port = await freePort();
  let server: ChildProcess | undefined;
  return {
    url: `postgresql://operator:secret@127.0.0.1:${port}/postgres`,
    async start() {
      const settings = ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", folder];
      server = spawn(join(bin, "postgres"), settings, { cwd: folder, stdio: "ignore", ...postgresUser() });
      await untilReady(bin, port);
    },
    async kill() {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      server.kill("SIGQUIT");
      await once(server, "exit");
    },
  };
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
