import { Offences } from "./offences.js";
import { DAY_MS } from "./period.js";
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
  /** A whole second: a later value of the same second replaces it (G54). */
  readonly at: Date;
  readonly intervalSeconds: number;
  readonly powerKw: number;
}

/** A forecast may lie ahead; further than this, it is a mistake (G54). */
const MAX_AHEAD_DAYS = 366;

export interface ControllableLoadLimits {
  readonly maxReadings: number;
  readonly now: Date;
}

/** Checks every reading's rules. */
export const checkControllableLoad = (
  uploaded: readonly UploadedControllableLoad[],
  { maxReadings, now }: ControllableLoadLimits,
): Result<readonly ControllableLoad[]> => {
  if (uploaded.length > maxReadings) {
    return invalid(
      `controllable_load holds ${uploaded.length} readings; at most ${maxReadings} are taken in one upload. Split it.`,
    );
  }
  const offences = new Offences();
  const readings = uploaded.map((reading, index) => {
    const atMs = parseTimestamp(reading.timestamp);
    const fault = momentFault(reading.timestamp, atMs, now) ?? powerFault(reading.value);
    if (fault !== null) offences.add(`controllable_load[${index}]${fault}`);
    return {
      siteId: reading.site_id,
      at: new Date(Math.floor(atMs / 1000) * 1000),
      intervalSeconds: reading.interval_seconds,
      powerKw: reading.value,
    };
  });
  return offences.refusal() ?? readings;
};

const momentFault = (text: string, atMs: number, now: Date): string | null =>
  timeFault(text, atMs, Number.POSITIVE_INFINITY) ??
  (atMs > now.getTime() + MAX_AHEAD_DAYS * DAY_MS
    ? `.timestamp is ${text}; a forecast lies at most a year ahead`
    : null);

const powerFault = (powerKw: number): string | null =>
  Math.abs(powerKw) <= MAX_POWER_KW
    ? null
    : `.value is ${powerKw} kW; the size of a power is at most ${MAX_POWER_KW} kW`;
