import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { onTestFinished } from "vitest";
import { runCommand } from "../../../src/storage/embedded/command.js";
import type { Connection } from "../../../src/storage/embedded/database.js";
import { endLeftovers } from "../../../src/storage/embedded/orphan.js";
import { canEnter } from "../../../src/storage/embedded/reach.js";
import { type EmbeddedPostgres, startEmbedded } from "../../../src/storage/embedded/start-embedded.js";
import { copyFolder, madeOnce } from "../../support/made-once.js";

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export const isRoot = process.geteuid?.() === 0;

export const nobody = { uid: 65_534, gid: 65_534 };

/** Whether another user can run what lies in this checkout. */
export const canBeRead = await canEnter(isRoot ? nobody : null, fileURLToPath(new URL(".", import.meta.url)));

/** Gone after the test, with whatever still runs in it. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "curtail-test-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

/** A temporary directory with a database that was made before: for tests that are not about its making. */
export async function preparedDirectory(): Promise<string> {
  const directory = await temporaryDirectory();
  await copyFolder(join(await madeOnce("database", makeDatabase), "postgres"), join(directory, "postgres"));
  return directory;
}

async function makeDatabase(dataDir: string): Promise<void> {
  const embedded = await startEmbedded({ dataDir, log: silent });
  await embedded.stop();
}

export async function running(dataDir: string, settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const embedded = await startEmbedded({ dataDir, log: silent, settings });
  onTestFinished(() => embedded.stop());
  return embedded;
}

/** A process of its own that owns the directory, and what it said. */
export async function runningElsewhere(
  dataDir: string,
  identity: { uid?: number; gid?: number } = {},
): Promise<{ owner: ChildProcess; connection: Connection }> {
  const script = fileURLToPath(new URL("own-database.mjs", import.meta.url));
  const owner = spawn(process.execPath, [script, dataDir], {
    ...identity,
    stdio: ["ignore", "pipe", "pipe"],
    cwd: "/",
  });
  onTestFinished(() => endWithDatabase(owner, dataDir));
  const complaints: string[] = [];
  owner.stderr.on("data", (chunk: Buffer) => complaints.push(chunk.toString()));
  const [line]: unknown[] = await once(createInterface({ input: owner.stdout }), "line");
  const said: { connection?: Connection; error?: string } = JSON.parse(String(line));
  if (said.connection === undefined) throw new Error(`${said.error}\n${complaints.join("")}`);
  const { connection } = said;
  onTestFinished(() => rm(connection.host, { recursive: true, force: true }));
  return { owner, connection };
}

export async function kill(owner: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (owner.exitCode !== null || owner.signalCode !== null) return;
  const exited = once(owner, "exit");
  owner.kill(signal);
  await exited;
}

export async function query(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** What a user of the machine gets who connects to a database: `let in`, or the reason why not. */
export async function connectedAs(uid: number, connection: Connection): Promise<string> {
  const script = `const { default: pg } = await import(${JSON.stringify(import.meta.resolve("pg"))});
    const client = new pg.Client(${JSON.stringify(connection)});
    await client.connect().then(() => console.log("let in"), (error) => console.log(error.message));
    process.exit();`;
  const args = ["--input-type=module", "--eval", script];
  return (await runCommand({ file: process.execPath, args, identity: { uid, gid: uid } })).output;
}

export async function postmasterPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10);
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function endWithDatabase(owner: ChildProcess, dataDir: string): Promise<void> {
  await kill(owner, "SIGKILL");
  const clusterDir = join(dataDir, "postgres");
  if (await exists(clusterDir)) await endLeftovers(clusterDir, silent);
}
