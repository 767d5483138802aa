import { rm, stat } from "node:fs/promises";
import { writeAccess } from "./access.js";
import { givenBinaries, prepareBinaries } from "./binaries.js";
import { refreshCopy } from "./binary-copy.js";
import { clusterDirOf, ensureCluster, superuser } from "./cluster.js";
import { prepareDataDirectory } from "./data-directory.js";
import { type Connection, ensureDatabase, SERVICE_ROLE } from "./database.js";
import type { EmbeddedLog } from "./embedded-log.js";
import { unlessCode } from "./error-code.js";
import { chooseIdentity, ownName } from "./identity.js";
import { endLeftovers } from "./orphan.js";
import { takeOwnership } from "./owner-lock.js";
import { Postmaster } from "./postmaster.js";
import { chooseReach } from "./reach.js";
import { prepareSocketDirectory, socketPort } from "./socket-directory.js";

export interface EmbeddedPostgres {
  /** Connects as the owner of all tables: a Unix socket directory as host, constant while it runs. */
  readonly connection: Connection;
  /** The same in the role of the service, with the rights that `grantToService` gives it. */
  readonly serviceConnection: Connection;
  /** Stops fast and cleanly; a second call waits for the same stop. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Curtail's data directory; the cluster is in its folder `postgres`. */
  readonly dataDir: string;
  readonly log: EmbeddedLog;
  /** The folder of another PostgreSQL's programs, 15 or newer; null: those that come with the package. */
  readonly programs?: string | null;
  /** Server settings that override ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Aborting it stops the server immediately; still await the start or the stop. */
  readonly atOnce?: AbortSignal;
}

type Undo = () => Promise<void>;

/** systemd-tmpfiles cleans after ten days. */
const refreshEveryMs = 24 * 60 * 60 * 1_000;

/** Starts PostgreSQL and keeps it running. If it fails, nothing is left running. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const undo: Undo[] = [];
  try {
    const connection = await startIn(await prepareDataDirectory(options.dataDir), options, undo);
    let stopped: Promise<void> | null = null;
    const serviceConnection = { ...connection, user: SERVICE_ROLE };
    return { connection, serviceConnection, stop: () => (stopped ??= undoAll(undo)) };
  } catch (error) {
    await undoAll(undo).catch((failure: unknown) =>
      options.log.error({ err: failure }, "PostgreSQL may still be running"),
    );
    throw error;
  }
}

async function startIn(
  dataDir: string,
  { log, programs = null, settings = {}, atOnce }: EmbeddedOptions,
  undo: Undo[],
): Promise<Connection> {
  const lock = await takeOwnership(dataDir);
  undo.push(() => lock.release());
  const clusterDir = clusterDirOf(dataDir);
  await endOrphans(clusterDir, log);
  const identity = await chooseIdentity(clusterDir);
  const binaries = await (programs === null ? prepareBinaries({ identity, log }) : givenBinaries(programs, identity));
  if (binaries.copy !== null) undo.push(keepFresh(binaries.copy, log));
  await ensureCluster({ dataDir, binaries, identity, log, atOnce });
  await writeAccess(clusterDir, ownName(), { identity, major: binaries.major });
  const socketDir = await prepareSocketDirectory(dataDir, identity);
  undo.push(() => rm(socketDir, { recursive: true, force: true }));
  const reach = await chooseReach(identity, clusterDir);
  const { postgres } = binaries;
  const plan = { postgres, identity, clusterDir, reach, socketDir, port: socketPort, settings };
  const postmaster = new Postmaster(plan, log);
  undo.push(() => postmaster.stop());
  atOnce?.addEventListener("abort", () => void postmaster.endAtOnce());
  atOnce?.throwIfAborted();
  await postmaster.start();
  const connection = { host: socketDir, port: socketPort, user: superuser, database: "curtail" };
  await ensureDatabase(connection);
  return connection;
}

/** Before ownership of anything in the directory changes. */
async function endOrphans(clusterDir: string, log: EmbeddedLog): Promise<void> {
  if ((await unlessCode(stat(clusterDir), ["ENOENT"], null)) !== null) await endLeftovers(clusterDir, log);
}

function keepFresh(copy: string, log: EmbeddedLog): Undo {
  const refresh = (): void =>
    void refreshCopy(copy).catch((error: unknown) =>
      log.warn({ err: error, copy }, "the copied binaries may be deleted"),
    );
  const timer = setInterval(refresh, refreshEveryMs).unref();
  return async () => clearInterval(timer);
}

/** In reverse order; a failure does not keep the others from running. */
async function undoAll(undo: readonly Undo[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of undo.toReversed()) await step().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, "PostgreSQL could not be stopped completely");
}
