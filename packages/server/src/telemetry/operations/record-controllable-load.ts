import type { Caller } from "../../access/operations/caller.js";
import type { Clock } from "../../platform/clock.js";
import { invalid, isRefusal, type Result } from "../../platform/refusal.js";
import {
  type ControllableLoad,
  ControllableLoadCheck,
  type UploadedControllableLoad,
} from "../domain/controllable-load.js";
import { refuseMany } from "../domain/reading.js";
import type { Upload } from "./upload.js";

export interface ControllableLoadArchive {
  /** Writes all, or none if a site does not belong to the account: returns the first such index, else null. */
  write(accountId: string, readings: readonly ControllableLoad[]): Promise<number | null>;
}

export interface ControllableLoadPorts {
  readonly archive: ControllableLoadArchive;
  readonly maxReadings: number;
  readonly clock: Clock;
}

/** Stores or refuses an upload as a whole; the last write wins for a site and a timestamp (G28). */
export const recordControllableLoad = async (
  { archive, maxReadings, clock }: ControllableLoadPorts,
  caller: Caller,
  upload: Upload<UploadedControllableLoad>,
): Promise<Result<number>> => {
  const many = refuseMany("controllable_load", upload.count, maxReadings);
  if (many !== null) return many;
  const check = new ControllableLoadCheck(clock.now());
  for await (const batch of upload.batches()) for (const reading of batch) check.add(reading);
  const readings = check.result();
  if (isRefusal(readings)) return readings;
  const foreign = await archive.write(caller.accountId, readings);
  if (foreign === null) return readings.length;
  return invalid(
    `controllable_load[${foreign}].site_id names no site of this account; GET /sites lists them. Nothing was stored.`,
  );
};
