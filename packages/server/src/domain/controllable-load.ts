import { Offences } from "./offences.js";
import { MAX_POWER_KW, timeFault } from "./reading.js";
import { invalid, type Result } from "./refusal.js";
import { parseTimestamp } from "./timestamp.js";

/** A controllable load reading as uploaded, its shape checked. */
export interface UploadedControllableLoad {
  readonly interval_seconds: number;
  readonly site_id: string;
  readonly timestamp: string;
  readonly value: number;
}

/** How much a site can reduce or increase, kept as submitted (G28). */
export interface ControllableLoad {
  readonly siteId: string;
  readonly at: Date;
  readonly intervalSeconds: number;
  readonly powerKw: number;
}

/** Checks every reading's rules; a forecast may lie ahead, so the future is not refused. */
export const checkControllableLoad = (
  uploaded: readonly UploadedControllableLoad[],
  maxReadings: number,
): Result<readonly ControllableLoad[]> => {
  if (uploaded.length > maxReadings) {
    return invalid(
      `controllable_load holds ${uploaded.length} readings; at most ${maxReadings} are taken in one upload. Split it.`,
    );
  }
  const offences = new Offences();
  const readings = uploaded.map((reading, index) => {
    const atMs = parseTimestamp(reading.timestamp);
    const fault = timeFault(reading.timestamp, atMs, Number.POSITIVE_INFINITY) ?? powerFault(reading.value);
    if (fault !== null) offences.add(`controllable_load[${index}]${fault}`);
    return {
      siteId: reading.site_id,
      at: new Date(atMs),
      intervalSeconds: reading.interval_seconds,
      powerKw: reading.value,
    };
  });
  return offences.refusal() ?? readings;
};

const powerFault = (powerKw: number): string | null =>
  Math.abs(powerKw) <= MAX_POWER_KW
    ? null
    : `.value is ${powerKw} kW; the size of a power is at most ${MAX_POWER_KW} kW`;
