import type { Condition } from "../domain/alarm.js";
import { diskCondition } from "../domain/disk-space.js";
import type { Disk } from "../operations/heed-disk.js";
import type { Config } from "../runtime/config.js";
import type { Logger } from "../runtime/logger.js";
import { DiskWatch, type Statfs } from "../storage/disk-watch.js";

/** Of a database elsewhere, the service cannot know the disk. */
export const watchedDisk = ({ databaseUrl, dataDir }: Config, logger: Logger, statfs: Statfs | undefined): Disk => {
  if (databaseUrl !== null) return { space: async () => null };
  const onError = (error: unknown) =>
    logger.warn({ err: error, directory: dataDir }, "the space on the disk of the data directory is not known");
  return new DiskWatch(dataDir, onError, statfs);
};

/** What the alarms are told of it. */
export const diskConditions = async (disk: Disk, directory: string): Promise<readonly Condition[]> => {
  const space = await disk.space();
  const condition = space === null ? null : diskCondition(space, directory);
  return condition === null ? [] : [condition];
};
