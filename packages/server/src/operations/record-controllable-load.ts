import {
  type ControllableLoad,
  checkControllableLoad,
  type UploadedControllableLoad,
} from "../domain/controllable-load.js";
import { invalid, isRefusal, type Result } from "../domain/refusal.js";
import type { Clock } from "./clock.js";
import type { Caller } from "./ports.js";

export interface ControllableLoadArchive {
  /** Writes all, or none when one names a site that is not the account's: answers the first such index, else null. */
  write(accountId: string, readings: readonly ControllableLoad[]): Promise<number | null>;
}

export interface ControllableLoadPorts {
  readonly archive: ControllableLoadArchive;
  readonly maxReadings: number;
  readonly clock: Clock;
}

/** Stores an upload whole, or refuses it whole; the last write wins for a site and a timestamp (G28). */
export const recordControllableLoad = async (
  { archive, maxReadings, clock }: ControllableLoadPorts,
  caller: Caller,
  uploaded: readonly UploadedControllableLoad[],
): Promise<Result<number>> => {
  const readings = checkControllableLoad(uploaded, { maxReadings, now: clock.now() });
  if (isRefusal(readings)) return readings;
  const foreign = await archive.write(caller.accountId, readings);
  if (foreign === null) return readings.length;
  return invalid(
    `controllable_load[${foreign}].site_id names no site of this account; GET /sites lists them. Nothing was stored.`,
  );
};
