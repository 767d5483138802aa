import { join } from "node:path";
import { archiveFolder } from "../platform/files/archive-folder.js";
import type { Config } from "../platform/runtime/config.js";
import { PacedWorker } from "../platform/worker/paced-worker.js";
import { Archiving } from "../telemetry/operations/archive-telemetry.js";
import { archiveStore } from "../telemetry/storage/archive-store.js";
import type { PackingWiring } from "./wire-packing.js";

/** A month ends once a month, and readings that are too old do no harm. */
const IDLE_MS = 3_600_000;

/** Where readings that are not kept any more are archived. */
export const archivePath = ({ telemetryArchive, dataDir }: Config): string =>
  telemetryArchive ?? join(dataDir, "telemetry-archive");

/** Archives months that are not kept any more in worker processes, if the setting says how long readings are kept. */
export const wireArchive = ({ config, pool, logger, clock, metrics }: PackingWiring): { stop(): Promise<void> } => {
  const { keepTelemetry: keepDays, packShare, roles } = config;
  if (keepDays === null || !roles.includes("worker")) return { stop: async () => {} };
  const now = () => clock.now();
  const folder = archivePath(config);
  const archiving = new Archiving({ store: archiveStore(pool, archiveFolder(folder), now), now, keepDays });
  const archiver = new PacedWorker({
    step: () => archiving.step(),
    clock,
    share: packShare / 100,
    idleMs: IDLE_MS,
    observe: metrics.countArchived,
    onError: (error) =>
      logger.error({ err: error, folder }, "readings could not be archived, so they are kept; trying again in an hour"),
  });
  archiver.start();
  return archiver;
};
