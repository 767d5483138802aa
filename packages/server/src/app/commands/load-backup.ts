import type { KeyObject } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type EmbeddedPostgres, startEmbedded } from "@curtail/embedded-postgres";
import type pg from "pg";
import type { FilePart, Manifest, Opening, TablePart } from "../../backup/domain/content.js";
import type { DeliveryHold } from "../../backup/domain/delivery-hold.js";
import { connectedForBackup } from "../../backup/storage/backup-connection.js";
import { migrationsFor, TableLoader } from "../../backup/storage/load-content.js";
import { type ContentReceiver, readContent } from "../../backup/storage/read-content.js";
import { closePool, openPool, STARTING } from "../../platform/database/database.js";
import { migrate } from "../../platform/database/migrate.js";
import { type Migration, readMigrations } from "../../platform/database/migration.js";
import { recordsOf } from "../../platform/files/backup-records.js";
import { ByteSource } from "../../platform/files/byte-source.js";
import { type FreeBytes, freeBytes, type NeededSpace, refuseFull } from "../../platform/files/free-space.js";
import { writeNewFile } from "../../platform/files/new-file.js";
import { readSealedHeader, type SealedHeader, unsealed } from "../../platform/files/sealed-file.js";
import { unzipped } from "../../platform/files/zipped.js";
import type { Logger } from "../../platform/runtime/logger.js";
import { logBroken } from "../basis.js";

export interface LoadOrder {
  readonly file: string;
  /** null: none was given. */
  readonly identity: KeyObject | null;
  /** A data directory to be made; nothing is made before the key and the schema were found to fit. */
  readonly directory: string;
  /** As for {@link startEmbedded}. */
  readonly programs?: string | null;
  readonly logger: Logger;
  /** The share of the file that was read, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** Aborting it fails the load at its next step. */
  readonly asked: AbortSignal;
  readonly atOnce?: AbortSignal;
  /** Gets what is needed before anything is made. */
  readonly onSpace?: (space: NeededSpace) => void;
  /** Whether to go on where less is free than is expected to be needed. */
  readonly isForced?: boolean;
  /** Default: as the platform says. */
  readonly freeBytes?: FreeBytes;
  /** Whether the directory is to serve: it then begins with delivery held. */
  readonly serves: boolean;
}

export interface LoadedBackup {
  readonly header: SealedHeader;
  readonly opening: Opening;
  readonly manifest: Manifest;
}

/** The included database as it is filled: each table was emptied in the same transaction, so its rows need no log. */
/** Of a backup that does not say what its database took: times its file. */
const GROWN = 6;
/** A cluster without rows, and what PostgreSQL writes ahead. */
const CLUSTER_BYTES = 200_000_000;

const LOADING = { wal_level: "minimal", max_wal_senders: "0", max_wal_size: "4GB" };

/** Makes a data directory of a backup, with its database stopped at the end. Throws a `BackupFault` if it is not whole. */
export const loadBackup = async (order: LoadOrder): Promise<LoadedBackup> => {
  const { file, identity, onProgress, asked } = order;
  const [known, { size }] = await Promise.all([readMigrations(), stat(file)]);
  const source = new ByteSource(
    countedFile(file, (bytes) => {
      asked.throwIfAborted();
      onProgress(bytes / size);
    }),
  );
  try {
    const opened = await readSealedHeader(source);
    const records = recordsOf(new ByteSource(unzipped(unsealed(source, opened, identity))));
    return await loadContent(records, { order, fileBytes: size, header: opened.header, known });
  } finally {
    await source.close();
  }
};

async function* countedFile(file: string, note: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of createReadStream(file)) {
    bytes += piece.length;
    note(bytes);
    yield piece;
  }
}

interface Loading {
  readonly order: LoadOrder;
  readonly fileBytes: number;
  readonly header: SealedHeader;
  readonly known: readonly Migration[];
}

const loadContent = async (records: ReturnType<typeof recordsOf>, loading: Loading): Promise<LoadedBackup> => {
  const directory = new LoadedDirectory(loading);
  try {
    const manifest = await readContent(records, directory);
    return { header: loading.header, opening: await directory.finish(manifest), manifest };
  } finally {
    await directory.close();
  }
};

/** Takes the parts of a backup into a new data directory. */
class LoadedDirectory implements ContentReceiver {
  private made: { readonly embedded: EmbeddedPostgres; readonly opening: Opening } | null = null;
  private filling: { readonly client: pg.Client; readonly loader: TableLoader } | null = null;

  constructor(private readonly loading: Loading) {}

  async open(opening: Opening): Promise<void> {
    const { order, header, known } = this.loading;
    const migrations = migrationsFor(opening, known, header.version);
    await this.findRoom(opening);
    const { directory, programs = null, logger, atOnce } = order;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const settings = {
      dataDir: directory,
      programs,
      log: logger,
      settings: LOADING,
      ...(atOnce === undefined ? {} : { atOnce }),
    };
    const embedded = await startEmbedded(settings);
    this.made = { embedded, opening };
    await migrateTo(embedded, migrations, logger);
    const client = await connectedForBackup(embedded.connection);
    this.filling = { client, loader: await TableLoader.begin(client) };
  }

  private async findRoom({ databaseBytes, archiveBytes }: Opening): Promise<void> {
    const { order, fileBytes } = this.loading;
    const folder = dirname(order.directory);
    const needed = CLUSTER_BYTES + (databaseBytes ?? fileBytes * GROWN) + (archiveBytes ?? 0);
    const space = { folder, needed, free: await (order.freeBytes ?? freeBytes)(folder) };
    order.onSpace?.(space);
    if (order.isForced !== true) refuseFull(space);
  }

  async table(part: TablePart, rows: AsyncIterable<Buffer>): Promise<void> {
    await this.filling?.loader.table(part, rows);
  }

  async file({ file }: FilePart, bytes: AsyncIterable<Buffer>): Promise<void> {
    await writeNewFile(join(this.loading.order.directory, ...file.split("/")), bytes);
  }

  async finish({ sequences }: Manifest): Promise<Opening> {
    const { order, header } = this.loading;
    if (this.made === null || this.filling === null) throw new Error("the backup has no opening");
    const hold: DeliveryHold | null = order.serves ? { heldAt: new Date(), backupAt: new Date(header.madeAt) } : null;
    await this.filling.loader.end(sequences, hold);
    return this.made.opening;
  }

  async close(): Promise<void> {
    await this.filling?.client.end();
    await this.made?.embedded.stop();
  }
}

const migrateTo = async (
  { connection }: EmbeddedPostgres,
  known: readonly Migration[],
  logger: Logger,
): Promise<void> => {
  const pool = openPool(connection, logBroken(logger), { max: 1, name: STARTING });
  try {
    await migrate(pool, { known });
  } finally {
    await closePool(pool);
  }
};
