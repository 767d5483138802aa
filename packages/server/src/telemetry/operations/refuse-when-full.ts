import { type DiskSpace, whyFull } from "../../platform/disk-space.js";
import type { UploadService } from "./telemetry-service.js";

/** The disk that holds the database; null if unknown. */
export interface Disk {
  space(): Promise<DiskSpace | null>;
}

/** Throws while the disk is nearly full: a failure of the service, which is logged, and after which the client retries. */
export const checkDisk = async (disk: Disk): Promise<void> => {
  const space = await disk.space();
  const why = space === null ? null : whyFull(space);
  if (why !== null) throw new Error(why);
};

/** Wraps the service to refuse uploads while the disk is nearly full. */
export const refusingWhenDiskFull = <S extends UploadService>(service: S, disk: Disk): S => {
  const check = () => checkDisk(disk);
  return {
    ...service,
    async recordTelemetry(caller, upload) {
      await check();
      return service.recordTelemetry(caller, upload);
    },
    async recordControllableLoad(caller, uploaded) {
      await check();
      return service.recordControllableLoad(caller, uploaded);
    },
  };
};
