import { Offences } from "./offences.js";
import { MAX_POWER_KW, timeFault } from "./reading.js";
import type { Result } from "./refusal.js";
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
export class ControllableLoadCheck {
  private readonly readings: ControllableLoad[] = [];
  private readonly offences = new Offences();

  add({ site_id, timestamp, interval_seconds, value }: UploadedControllableLoad): void {
    const atMs = parseTimestamp(timestamp);
    const fault = timeFault(timestamp, atMs, Number.POSITIVE_INFINITY) ?? powerFault(value);
    if (fault !== null) this.offences.add(`controllable_load[${this.readings.length}]${fault}`);
    this.readings.push({
      siteId: site_id,
      at: new Date(atMs),
      intervalSeconds: interval_seconds,
      powerKw: value,
    });
  }

  result(): Result<readonly ControllableLoad[]> {
    return this.offences.refusal() ?? this.readings;
  }
}

const powerFault = (powerKw: number): string | null =>
  Math.abs(powerKw) <= MAX_POWER_KW
    ? null
    : `.value is ${powerKw} kW; the size of a power is at most ${MAX_POWER_KW} kW`;
