import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A time-series database that takes the line protocol of InfluxDB. */
export interface Peer {
  readonly name: string;
  readonly command: string;
  /** What an answer says about the disk. */
  readonly durability: string;
  /** Arguments and settings of a server that listens at the port of 127.0.0.1. */
  serve(
    port: number,
    folder: string,
  ): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };
  /** Called once it listens. */
  prepare(url: string): Promise<void>;
  /** Path of writes. */
  readonly write: string;
  /** Counts the readings that can be read back. */
  count(url: string): Promise<number>;
  /** Brings everything into the form in which it stays on disk. */
  settle(url: string, folder: string): Promise<void>;
}

export interface RunningPeer {
  readonly url: string;
  readonly pid: number;
  readonly folder: string;
  stop(): Promise<void>;
}

export const isInstalled = ({ command }: Peer): boolean => spawnSync("which", [command]).status === 0;

export const startPeer = async (peer: Peer): Promise<RunningPeer> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-bench-peer-"));
  const port = await freePort();
  const { args, env } = peer.serve(port, folder);
  const child = spawn(peer.command, args, {
    stdio: "ignore",
    env: { PATH: process.env["PATH"], HOME: folder, ...env },
  });
  const url = `http://127.0.0.1:${port}`;
  await untilListening(url, child);
  await peer.prepare(url);
  return {
    url,
    pid: child.pid ?? 0,
    folder,
    async stop() {
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      await exit;
      await rm(folder, { recursive: true });
    },
  };
};

const BLOCK_BYTES = 512;

/** Bytes that the files below a folder take on the disk: some are larger than what was written. */
export const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).blocks * BLOCK_BYTES, 0);

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
};

const START_MS = 30_000;

const untilListening = async (url: string, child: ChildProcess): Promise<void> => {
  for (const until = performance.now() + START_MS; performance.now() < until; await sleep(100)) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    const answered = await fetch(`${url}/ping`).then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
  throw new Error(`${child.spawnfile} does not listen`);
};
