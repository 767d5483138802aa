import type { KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { showShare } from "@curtail/cli";
import { missingWords } from "../../backup/domain/content.js";
import { holdRestored } from "../../backup/storage/hold-restored.js";
import { makeBackup } from "../../backup/storage/make-backup.js";
import { BackupFault } from "../../platform/backup-fault.js";
import { type BackupRecipient, newBackupKey, parseIdentity, parseRecipient } from "../../platform/backup-keys.js";
import { closePool, openPool, STARTING } from "../../platform/database/database.js";
import { type NeededSpace, sizeWords, spaceWords } from "../../platform/files/free-space.js";
import { writeNewFile } from "../../platform/files/new-file.js";
import { readConfig } from "../../platform/runtime/config.js";
import { buildLogger, type Logger } from "../../platform/runtime/logger.js";
import { version } from "../../platform/runtime/version.js";
import { logBroken } from "../basis.js";
import { savedFolderOf, standbyOf } from "../wire/upkeep.js";
import { backupSource } from "./backup-source.js";
import type { LoadOrder } from "./load-backup.js";
import { prepareDatabase } from "./open-database.js";
import { restoreBackup } from "./restore-backup.js";
import { configOrExit, type Running, runUntilStopped } from "./run-until-stopped.js";
import { verifyBackup } from "./verify-backup.js";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const saySpace = (space: NeededSpace): void => print(spaceWords(space));

const sayKept = (path: string, reason: string): void => print(`${path} stays: ${reason}`);

/** Runs a command to its end; one that was asked to stop before has failed. */
const once = (failure: string, start: (running: Running, logger: Logger) => Promise<void>): Promise<void> => {
  // Failures are printed in words; a log in JSON would hide them.
  const logger = buildLogger("silent");
  return runUntilStopped({
    logger,
    failure,
    isOnce: true,
    async start(running) {
      running.asked.addEventListener("abort", () => {
        process.exitCode = 1;
      });
      await start(running, logger);
      process.exitCode = 0;
    },
  });
};

/** Shows progress on standard error while it works. */
const showing = async <T>(what: string, work: (note: (share: number) => void) => Promise<T>): Promise<T> => {
  const progress = showShare(process.stderr, what);
  try {
    return await work((share) => progress.note(share));
  } finally {
    progress.stop();
  }
};

interface BackupOptions {
  readonly recipient?: readonly string[];
  /** false: `--no-keys`. */
  readonly keys: boolean;
  readonly force?: true;
}

/** `curtail backup FILE`. */
export const backup = (file: string | undefined, options: BackupOptions): Promise<void> =>
  once("the backup failed; no file was written", async (running, logger) => {
    if (file === undefined) throw new Error("Name the file to write: curtail backup FILE.");
    const config = configOrExit();
    const recipients = recipientsOf(options, config.backupRecipients);
    const connection = await backupSource({ config, logger, running });
    const made = await showing("backup", (onProgress) =>
      makeBackup({
        connection,
        standby: standbyOf(config),
        folder: savedFolderOf(config),
        recipients,
        path: resolve(file),
        version,
        onProgress,
        onSpace: saySpace,
        onKept: sayKept,
        isForced: options.force === true,
        asked: running.asked,
      }),
    );
    print(`${file}: ${sizeWords(made.bytes)}, the state of ${made.madeAt.toISOString()}`);
    if (recipients.length === 0)
      print(
        "It is not encrypted, and has neither the secrets key nor the certificate authority: a service that is restored from " +
          "it starts only with these from another copy (secrets.key, openadr/).",
      );
    for (const line of missingWords(made.missing)) print(line);
  });

const recipientsOf = (
  { recipient, keys }: BackupOptions,
  configured: readonly BackupRecipient[] | null,
): readonly BackupRecipient[] => {
  if (!keys) return [];
  const given = recipient?.map((text) => {
    const parsed = parseRecipient(text);
    if (parsed === null)
      throw new Error(`"${text}" is no public key of \`curtail backup keygen\`. Copy the whole of it.`);
    return parsed;
  });
  const recipients = given ?? configured ?? [];
  if (recipients.length === 0)
    throw new Error(
      "A backup has the keys of the service, so it is encrypted: name its recipient with --recipient cbr_… " +
        "(`curtail backup keygen FILE` makes one), or leave keys out with --no-keys.",
    );
  return recipients;
};

/** With a zone: nobody should have to guess which one a restore was told. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d)(?::?(\d\d))?$/;

/** As PostgreSQL writes it, or as RFC 3339 does. */
const momentOf = (text: string): Date => {
  const [, day, time, zone, minutes = "00"] = MOMENT.exec(text) ?? [];
  const moment = new Date(`${day}T${time}${zone === "Z" ? zone : `${zone}:${minutes}`}`);
  if (Number.isNaN(moment.getTime()))
    throw new Error(`"${text}" is no moment with a zone, such as 2026-11-30 14:07:59+00.`);
  if (moment > new Date()) throw new Error(`${moment.toISOString()} is in the future: name the moment of the restore.`);
  return moment;
};

/** `curtail backup hold MOMENT`. */
export const hold = (text: string): Promise<void> =>
  once("delivery is not held", async (running, logger) => {
    const restoredTo = momentOf(text);
    const { owner } = await prepareDatabase({ config: configOrExit(), logger, running });
    const pool = openPool(owner, logBroken(logger), { max: 1, name: STARTING });
    try {
      await holdRestored(pool, restoredTo, new Date());
    } finally {
      await closePool(pool);
    }
    print(`Delivery is held: the database is of ${restoredTo.toISOString()}. Start the service now.`);
    print("It sends nothing until an operator releases delivery: curtail admin delivery-hold release.");
  });

/** `curtail backup keygen FILE`. */
export const keygen = (file: string): Promise<void> =>
  once("no key was made", async () => {
    const { identity, recipient } = newBackupKey();
    const text = `# Opens backups that are made for ${recipient}\n${identity}\n`;
    try {
      await writeNewFile(resolve(file), bytesOf(text));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      throw new BackupFault("taken", `${file} exists, and a key is never written over. Name another file.`);
    }
    print(`recipient: ${recipient}`);
    print(
      `${file} opens backups made for it. Keep it apart from the service and from the backups; nothing replaces it.`,
    );
  });

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

interface OpenOptions {
  readonly key?: string;
  readonly force?: true;
}

const identityOf = async ({ key }: OpenOptions): Promise<KeyObject | null> => {
  if (key === undefined) return null;
  const identity = parseIdentity(await readFile(key, "utf8"));
  if (identity === null) throw new BackupFault("wrong_key", `${key} is no key file of \`curtail backup keygen\`.`);
  return identity;
};

/** Other settings need not be right for a backup to be opened. */
const programsOf = (read = readConfig()): string | null => ("config" in read ? read.config.postgresPrograms : null);

type Opening = Omit<LoadOrder, "directory" | "serves" | "onProgress">;

const openingOf = async (
  file: string,
  options: OpenOptions,
  { asked, atOnce }: Running,
  logger: Logger,
): Promise<Opening> => ({
  file,
  identity: await identityOf(options),
  programs: programsOf(),
  logger,
  asked,
  atOnce,
  onSpace: saySpace,
  isForced: options.force === true,
});

/** Also when it is stopped at once, the work removes what it has made: that is data in clear. */
const toTheEnd = <T>(running: Running, work: Promise<T>): Promise<T> => {
  running.onStopAlways(async () => void (await Promise.allSettled([work])));
  return work;
};

/** `curtail restore FILE DIRECTORY`. */
export const restore = (file: string, directory: string, options: OpenOptions): Promise<void> =>
  once("nothing was restored", async (running, logger) => {
    const order = await openingOf(file, options, running, logger);
    const { header, opening, manifest } = await toTheEnd(
      running,
      showing("restore", (onProgress) => restoreBackup(directory, { ...order, onProgress })),
    );
    print(`${directory} is the state of ${header.madeAt}, made by Curtail ${header.version}.`);
    print(`Start it with CURTAIL_DATA_DIR=${resolve(directory)} npm start, without DATABASE_URL.`);
    print("It sends nothing until an operator releases delivery: curtail admin delivery-hold release.");
    if (!opening.hasKeys)
      print("The backup has no keys: put secrets.key and openadr/ of the service into the directory before the start.");
    for (const line of missingWords(manifest.missing)) print(line);
  });

/** `curtail backup verify FILE`. */
export const verify = (file: string, options: OpenOptions): Promise<void> =>
  once("the backup is not good", async (running, logger) => {
    const order = await openingOf(file, options, running, logger);
    const { header, manifest, faults } = await toTheEnd(
      running,
      showing("verify", (onProgress) => verifyBackup({ ...order, onProgress, onKept: sayKept })),
    );
    if (faults.length > 0)
      throw new BackupFault("changed", `The backup is not what was noted in it: ${faults.join("; ")}.`);
    const rows = manifest.parts.reduce((sum, part) => sum + part.rows, 0);
    print(`${file} is good: ${rows} rows in ${manifest.parts.length} parts, the state of ${header.madeAt}.`);
    for (const { table, newest } of manifest.newest) if (newest !== null) print(`newest of ${table}: ${newest}`);
    for (const line of missingWords(manifest.missing)) print(line);
  });
