import { dirname } from "node:path";
import type pg from "pg";
import { BackupFault } from "../../platform/backup-fault.js";
import type { BackupRecipient } from "../../platform/backup-keys.js";
import { isDistributed } from "../../platform/database/shards.js";
import { type FreeBytes, freeBytes, type NeededSpace, refuseFull } from "../../platform/files/free-space.js";
import { writeWholeFile } from "../../platform/files/new-file.js";
import { sealed } from "../../platform/files/sealed-file.js";
import { zipped } from "../../platform/files/zipped.js";
import { filesToSave, type SavedFolder } from "./files-to-save.js";
import { withState } from "./standby-state.js";
import { openContents } from "./write-content.js";

export interface BackupOrder {
  readonly connection: pg.ClientConfig;
  /** Of a standby that it is read from; default: `connection`. */
  readonly standby?: pg.ClientConfig | null;
  readonly folder: SavedFolder;
  /** Who can read it. Without any, it has no keys of the service, and nothing in it is encrypted. */
  readonly recipients: readonly BackupRecipient[];
  /** May not be there yet. */
  readonly path: string;
  /** Of Curtail. */
  readonly version: string;
  /** The share that is done, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** Aborting it ends the backup; no file is left. */
  readonly asked: AbortSignal;
  /** Gets what is needed before it begins. */
  readonly onSpace?: (space: NeededSpace) => void;
  /** What the file is expected to take; default: an estimate by the tables and archived files. */
  readonly expectedBytes?: number | undefined;
  /** Whether to go on where less is free than is expected to be needed. */
  readonly isForced?: boolean;
  /** Gets each half-written file of another process that stays, with the reason. */
  readonly onKept?: (path: string, reason: string) => void;
  /** Default: as the platform says. */
  readonly freeBytes?: FreeBytes;
}

export interface MadeBackup {
  /** The moment that it shows. */
  readonly madeAt: Date;
  readonly bytes: number;
  /** Files that were expected in the data directory and are missing. */
  readonly missing: readonly string[];
}

/** Of what tables take on the disk, in a file: readings shrink to a fifth, and text of other tables to less than that. */
const SHRUNK = 0.3;

/** Writes a backup of a running or stopped service. */
export const makeBackup = (order: BackupOrder): Promise<MadeBackup> =>
  withState(order, async (state) => {
    const { folder, recipients, path, version, onProgress, asked } = order;
    await refuseDistributed(state.client);
    const contents = await openContents(state);
    const keys = recipients.length > 0;
    const { files, missing } = await filesToSave(folder, { ...contents, keys });
    const folderBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const needed = order.expectedBytes ?? Math.ceil(contents.tableBytes * SHRUNK) + folderBytes;
    const space = { folder: dirname(path), needed, free: await (order.freeBytes ?? freeBytes)(dirname(path)) };
    order.onSpace?.(space);
    if (order.isForced !== true) refuseFull(space);
    const note = (share: number): void => {
      asked.throwIfAborted();
      onProgress(share);
    };
    const records = contents.records({ files, missing, hasKeys: keys, onProgress: note });
    const header = { madeAt: contents.at.toISOString(), version, schema: contents.migrations.length };
    const { onKept } = order;
    const bytes = await writeWholeFile(path, sealed(header, recipients, zipped(records)), { onKept }).catch(
      whereTaken(path),
    );
    return { madeAt: contents.at, bytes, missing };
  });

/** Each shard is read as of another moment: what is packed meanwhile would be missing. */
const refuseDistributed = async (client: pg.Client): Promise<void> => {
  if (!(await isDistributed(client))) return;
  throw new BackupFault(
    "distributed",
    "The readings of this database are on several nodes. Back up the nodes with PostgreSQL's tools (docs/scaling.md), and set " +
      "CURTAIL_BACKUP_DIRECTORY=off.",
  );
};

const whereTaken =
  (path: string) =>
  (error: unknown): never => {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new BackupFault("taken", `${path} exists, and a backup is never written over. Name another file.`);
  };
