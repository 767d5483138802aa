import { bad, type Check, good, warning } from "@curtail/cli";
import { DiskWatch } from "../../../platform/database/disk-watch.js";
import { amounts, type DiskSpace, diskCondition, whyFull } from "../../../platform/disk-space.js";
import type { Config } from "../../../platform/runtime/config.js";

/** By the rule of the alarm; a disk without a database only keeps the keys and the files. */
export const diskCheck = (space: DiskSpace | null, directory: string): Check => {
  if (space === null)
    return warning("disk", `the free space of ${directory} is not known`, "look at the disk by hand (df)");
  const advice = "enlarge the disk, or free space on it: pack or archive readings, move backups elsewhere";
  const full = whyFull(space);
  if (full !== null) return bad("disk", full, advice);
  const low = diskCondition(space, directory);
  return low === null ? good("disk", `${directory}: ${amounts(space)}`) : warning("disk", low.message, advice);
};

/** Of the data directory; a database of one's own has its disk elsewhere. */
export const lookAtDisk = async ({ dataDir }: Pick<Config, "dataDir">): Promise<readonly Check[]> => [
  diskCheck(await new DiskWatch(dataDir, () => {}).space(), dataDir),
];
