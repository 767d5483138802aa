import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "@curtail/embedded-postgres";
import type pg from "pg";
import { differences, type Manifest } from "../../backup/domain/content.js";
import { withBackupClient } from "../../backup/storage/backup-connection.js";
import { countTables } from "../../backup/storage/load-content.js";
import { OpenadrAuthority } from "../../openadr/vtn/ven-authority.js";
import { CHECK_SETTING } from "../../platform/database/sealed-secrets.js";
import { findSetting } from "../../platform/database/setting-store.js";
import { readText } from "../../platform/private-file.js";
import { parseKeys } from "../../platform/runtime/secret-cipher.js";
import { openCheck } from "../wire/secret-keys.js";
import { type LoadedBackup, type LoadOrder, loadBackup } from "./load-backup.js";
import { dataIn, markWorkFolder, removeAllLeft } from "./work-folder.js";

export interface VerifyOrder extends Omit<LoadOrder, "directory" | "serves"> {
  /** Gets each scratch directory of another process that stays, with the reason. */
  readonly onKept: (path: string, reason: string) => void;
}

export interface VerifiedBackup extends LoadedBackup {
  /** What is wrong; empty: nothing is. */
  readonly faults: readonly string[];
}

/**
 * Restores a backup into a scratch directory, starts its database read-only, and compares what is there with what the backup
 * noted when it was made. The directory is removed afterwards; those that killed processes left are removed before.
 */
export const verifyBackup = async (order: VerifyOrder): Promise<VerifiedBackup> => {
  const { logger, onKept } = order;
  await removeAllLeft(tmpdir(), SCRATCH, { logger, onKept });
  const scratch = await mkdtemp(join(tmpdir(), SCRATCH));
  const work = await markWorkFolder(scratch);
  try {
    const directory = dataIn(scratch);
    const loaded = await loadBackup({ ...order, directory, serves: false });
    return { ...loaded, faults: await faultsOf(directory, loaded, order) };
  } finally {
    await work.remove();
  }
};

const SCRATCH = "curtail-verify-";

const READ_ONLY = { default_transaction_read_only: "on" };

const faultsOf = async (
  dataDir: string,
  { manifest, opening }: LoadedBackup,
  { programs = null, logger: log, asked, atOnce }: Pick<LoadOrder, "programs" | "logger" | "asked" | "atOnce">,
): Promise<readonly string[]> => {
  asked.throwIfAborted();
  // PostgreSQL makes roles and databases at its start where they are missing; here they are all there.
  const embedded = await startEmbedded({
    dataDir,
    programs,
    log,
    settings: READ_ONLY,
    ...(atOnce === undefined ? {} : { atOnce }),
  });
  try {
    return await withBackupClient(embedded.connection, async (client) => [
      ...differences(tablesOf(manifest), await countTables(client)),
      ...(await keyFaults(client, dataDir, opening)),
    ]);
  } finally {
    await embedded.stop();
  }
};

/** Files were compared while they were read. */
const tablesOf = (manifest: Manifest): Manifest => ({
  ...manifest,
  parts: manifest.parts.filter(({ name }) => !name.includes("/") && name !== "secrets.key"),
});

/** Whether the keys of a backup are there, and are those of its database. */
const keyFaults = async (
  client: pg.Client,
  dataDir: string,
  { hasKeys }: LoadedBackup["opening"],
): Promise<readonly string[]> => {
  const faults: string[] = [];
  const [text, check] = [await readText(join(dataDir, "secrets.key")), await findSetting(client, CHECK_SETTING)];
  if (text === null && hasKeys && check !== null)
    faults.push("secrets.key is missing, and the secrets of the database are encrypted with it");
  if (text !== null) {
    const [first, ...rest] = parseKeys(text) ?? [];
    try {
      if (first === undefined) throw new Error("it has no key");
      openCheck([first, ...rest], check ?? "");
    } catch (error) {
      faults.push(`secrets.key does not open the secrets of the database (${String(error)})`);
    }
  }
  const authority = join(dataDir, "openadr");
  if ((await readText(join(authority, "ca.key"))) !== null) {
    try {
      await new OpenadrAuthority(authority, { now: () => new Date() }).open();
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  return faults;
};
