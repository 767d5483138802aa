import { Offences } from "../../platform/offences.js";
import { DAY_MS } from "../../platform/period.js";
import { quote } from "../../platform/quote.js";
import type { Result } from "../../platform/refusal.js";
import { parseTimestamp } from "../../platform/timestamp.js";
import { MAX_POWER_KW, timeFault } from "./reading.js";

/** An uploaded controllable load reading; its shape is checked. */
export interface UploadedControllableLoad {
  readonly interval_seconds: number;
  readonly site_id: string;
  readonly timestamp: string;
  readonly value: number;
}

/** How much a site can reduce or increase, stored as submitted (G28). */
export interface ControllableLoad {
  readonly siteId: string;
  /** In whole seconds: a later value for the same second replaces it (G54). */
  readonly at: Date;
  readonly intervalSeconds: number;
  readonly powerKw: number;
}

/** A forecast may be in the future; further than this, it is a mistake (G54). */
const MAX_AHEAD_DAYS = 366;

/** Checks the rules of each reading. */
export class ControllableLoadCheck {
  private readonly readings: ControllableLoad[] = [];
  private readonly offences = new Offences();

  constructor(private readonly now: Date) {}

  add({ site_id, timestamp, interval_seconds, value }: UploadedControllableLoad): void {
    const atMs = parseTimestamp(timestamp);
    const fault = momentFault(timestamp, atMs, this.now) ?? powerFault(value);
    if (fault !== null) this.offences.add(() => `controllable_load[${this.readings.length}]${fault}`);
    this.readings.push({
      siteId: site_id,
      // One value per second: a later one replaces it.
      at: new Date(Math.floor(atMs / 1000) * 1000),
      intervalSeconds: interval_seconds,
      powerKw: value,
    });
  }

  result(): Result<readonly ControllableLoad[]> {
    return this.offences.refusal() ?? this.readings;
  }
}

const ANY_TIME = { earliestMs: 0, latestMs: Number.POSITIVE_INFINITY };

const momentFault = (text: string, atMs: number, now: Date): string | null =>
  timeFault(text, atMs, ANY_TIME) ??
  (atMs > now.getTime() + MAX_AHEAD_DAYS * DAY_MS
    ? `.timestamp is ${quote(text)}; a forecast may be at most a year ahead`
    : null);

const powerFault = (powerKw: number): string | null =>
  Math.abs(powerKw) <= MAX_POWER_KW ? null : `.value is ${powerKw} kW; its magnitude may be at most ${MAX_POWER_KW} kW`;
