import type { Condition } from "../../platform/alarm.js";
import { DiskWatch, type Statfs } from "../../platform/database/disk-watch.js";
import { diskCondition } from "../../platform/disk-space.js";
import type { Config } from "../../platform/runtime/config.js";
import type { Logger } from "../../platform/runtime/logger.js";
import type { Disk } from "../../telemetry/operations/refuse-when-full.js";

/** The disk of an external database is unknown. */
export const watchedDisk = ({ databaseUrl, dataDir }: Config, logger: Logger, statfs: Statfs | undefined): Disk => {
  if (databaseUrl !== null) return { space: async () => null };
  const onError = (error: unknown) =>
    logger.warn({ err: error, directory: dataDir }, "the free space of the data directory could not be determined");
  return new DiskWatch(dataDir, onError, statfs);
};

/** Disk space as the alarms see it. */
export const diskConditions = async (disk: Disk, directory: string): Promise<readonly Condition[]> => {
  const space = await disk.space();
  const condition = space === null ? null : diskCondition(space, directory);
  return condition === null ? [] : [condition];
};
