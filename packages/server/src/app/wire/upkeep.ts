import { join } from "node:path";
import type { SavedFolder } from "../../backup/storage/files-to-save.js";
import { findSetting } from "../../platform/database/setting-store.js";
import { archiveFolder } from "../../platform/files/archive-folder.js";
import { Polling } from "../../platform/polling.js";
import type { Pruning } from "../../platform/pruning.js";
import type { Config } from "../../platform/runtime/config.js";
import { PacedWorker, type Step } from "../../platform/worker/paced-worker.js";
import { foldLookMs } from "../../telemetry/domain/fold-after.js";
import { PACK_AFTER_SETTING, packAfterDays } from "../../telemetry/domain/pack-after.js";
import { Archiving } from "../../telemetry/operations/archive-telemetry.js";
import { foldIfDue } from "../../telemetry/operations/fold-log.js";
import { Packing } from "../../telemetry/operations/pack-days.js";
import { archiveStore } from "../../telemetry/storage/archive-store.js";
import { dayStore } from "../../telemetry/storage/day-store.js";
import { logStore } from "../../telemetry/storage/fold-store.js";
import { type Basis, NOTHING, type Stopping } from "../basis.js";

/** A day ends once a day, and late readings can be read whether they are packed or not. */
const PACKING_IDLE_MS = 600_000;
/** A month ends once a month, and readings that are too old do no harm. */
const ARCHIVING_IDLE_MS = 3_600_000;
const PRUNING_IDLE_MS = 3_600_000;
/** Most of the time is left to requests. */
const PRUNING_SHARE = 0.1;

/** Packs days in worker processes, unless it is off. */
export const wirePacking = async ({ config, pool, logger, clock, metrics }: Basis): Promise<Stopping> => {
  const { packAfter, packShare, roles } = config;
  if (!roles.includes("worker")) return NOTHING;
  const afterDays = packAfterDays(packAfter, await findSetting(pool, PACK_AFTER_SETTING));
  if (afterDays === null) return NOTHING;
  const packing = new Packing({ store: dayStore(pool), now: () => clock.now(), afterDays });
  const packer = new PacedWorker({
    step: () => packing.step(),
    clock,
    share: packShare / 100,
    idleMs: PACKING_IDLE_MS,
    observe: metrics.countPacked,
    onError: (error) =>
      logger.error({ err: error }, "days of telemetry could not be packed; trying again in ten minutes"),
  });
  packer.start();
  return packer;
};

/** Folds the log of readings in worker processes, also where none is appended any more. */
export const wireFolding = ({ config, pool, logger, clock, metrics }: Basis): Stopping => {
  if (!config.roles.includes("worker")) return NOTHING;
  const store = logStore(pool);
  const folding = new Polling({
    async look() {
      const folded = await foldIfDue(store, config.foldAfter);
      if (folded !== null) metrics.countFolded(folded);
      return folded?.leavesMore === true;
    },
    everyMs: foldLookMs(config.foldAfter),
    restsFirst: true,
    clock,
    onError: (error) => logger.error({ err: error }, "readings of the log could not be folded; trying again soon"),
  });
  folding.start();
  return folding;
};

/** Where readings that are not kept any more are archived. */
export const archivePath = ({ telemetryArchive, dataDir }: Config): string =>
  telemetryArchive ?? join(dataDir, "telemetry-archive");

/** What of the data directory belongs to a backup. */
export const savedFolderOf = (config: Config): SavedFolder => ({
  dataDir: config.dataDir,
  archive: archivePath(config),
  secretsKeys: config.secretsKeys,
});

/** Where backups are read from, if not from the database itself. */
export const standbyOf = ({ backupDatabaseUrl }: Config): { readonly connectionString: string } | null =>
  backupDatabaseUrl === null ? null : { connectionString: backupDatabaseUrl };

/** Archives months that are not kept any more in worker processes, if the setting says how long readings are kept. */
export const wireArchive = ({ config, pool, logger, clock, metrics }: Basis): Stopping => {
  const { keepTelemetry: keepDays, packShare, roles } = config;
  if (keepDays === null || !roles.includes("worker")) return NOTHING;
  const now = () => clock.now();
  const folder = archivePath(config);
  const archiving = new Archiving({ store: archiveStore(pool, archiveFolder(folder), now), now, keepDays });
  const archiver = new PacedWorker({
    step: () => archiving.step(),
    clock,
    share: packShare / 100,
    idleMs: ARCHIVING_IDLE_MS,
    observe: metrics.countArchived,
    onError: (error) =>
      logger.error({ err: error, folder }, "readings could not be archived, so they are kept; trying again in an hour"),
  });
  archiver.start();
  return archiver;
};

/** Removes what is kept for a time only, not started yet. */
export const hourlyPruner = (
  { clock, logger }: Pick<Basis, "clock" | "logger">,
  what: string,
  ...prunings: readonly Pruning[]
): PacedWorker<Step> =>
  new PacedWorker({
    async step() {
      let isDone = true;
      for (const pruning of prunings) isDone = (await pruning.step()).isDone && isDone;
      return { isDone };
    },
    clock,
    share: PRUNING_SHARE,
    idleMs: PRUNING_IDLE_MS,
    onError: (error) => logger.error({ err: error }, `${what} could not be removed; trying again in an hour`),
  });
