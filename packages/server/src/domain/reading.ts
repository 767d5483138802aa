import { Offences } from "./offences.js";
import { invalid, type Result } from "./refusal.js";
import { parseTimestamp } from "./timestamp.js";

/** A telemetry reading as uploaded, its shape checked, its rules not yet. */
export interface UploadedReading {
  readonly interval_seconds: number;
  readonly timestamp: string;
  readonly meter_id?: string;
  readonly site_id?: string;
  readonly kW?: number;
  readonly value?: number;
  readonly units?: "kW" | "kWh";
}

/** Readings as columns: an upload holds up to 50,000, and an object for each would cost more than reading it. */
export interface Readings {
  readonly count: number;
  readonly endMs: Float64Array;
  readonly intervalSeconds: Int32Array;
  readonly powerKw: Float64Array;
  /** Which of `sources` a reading belongs to. */
  readonly source: Int32Array;
  readonly sources: readonly ReadingSource[];
}

/** What a reading names: a meter, or a site that has exactly one. `at` is the first reading that names it. */
export interface ReadingSource {
  readonly kind: "meter" | "site";
  readonly id: string;
  readonly at: number;
}

/** How far a reading may lie ahead of the service's clock (G27). */
const MAX_FUTURE_MS = 300_000;
export const MAX_POWER_KW = 10_000_000;

/** Checks every reading's rules (G20, G26, G27); refuses the whole upload, naming each place, if one breaks any. */
export const checkReadings = (
  uploaded: readonly UploadedReading[],
  now: Date,
  maxReadings: number,
): Result<Readings> => {
  if (uploaded.length > maxReadings) {
    return invalid(
      `telemetry holds ${uploaded.length} readings; at most ${maxReadings} are taken in one upload. Split it.`,
    );
  }
  const count = uploaded.length;
  const sources = new Sources();
  const offences = new Offences();
  const latestMs = now.getTime() + MAX_FUTURE_MS;
  const readings = {
    count,
    endMs: new Float64Array(count),
    intervalSeconds: new Int32Array(count),
    powerKw: new Float64Array(count),
    source: new Int32Array(count),
    sources: sources.list,
  };
  for (const [index, reading] of uploaded.entries()) {
    const endMs = parseTimestamp(reading.timestamp);
    const powerKw = powerOf(reading);
    const fault = faultOf(reading, endMs, latestMs, powerKw);
    if (fault !== null) {
      offences.add(`telemetry[${index}]${fault}`);
      continue;
    }
    readings.endMs[index] = endMs;
    readings.intervalSeconds[index] = reading.interval_seconds;
    readings.powerKw[index] = powerKw;
    readings.source[index] = sources.indexOf(reading, index);
  }
  return offences.refusal() ?? readings;
};

/** kW = kW, or value in kW, or value × 3600 / S for kWh (G20); NaN where no shape is whole. */
const powerOf = (reading: UploadedReading): number => {
  if (reading.kW !== undefined) return reading.kW;
  if (reading.value === undefined || reading.units === undefined) return Number.NaN;
  return reading.units === "kW" ? reading.value : (reading.value * 3600) / reading.interval_seconds;
};

const faultOf = (reading: UploadedReading, endMs: number, latestMs: number, powerKw: number): string | null => {
  if ((reading.meter_id === undefined) === (reading.site_id === undefined)) {
    return reading.meter_id === undefined
      ? " names neither meter_id nor site_id; give one of them"
      : " names both meter_id and site_id; give one of them";
  }
  if (reading.kW !== undefined ? reading.value !== undefined || reading.units !== undefined : Number.isNaN(powerKw)) {
    return reading.kW === undefined
      ? " has no power; give kW, or value together with units"
      : " mixes two shapes; give kW alone, or value together with units";
  }
  if (!(Math.abs(powerKw) <= MAX_POWER_KW))
    return ` is ${powerKw} kW; the size of a power is at most ${MAX_POWER_KW} kW`;
  return timeFault(reading.timestamp, endMs, latestMs);
};

/** What is wrong with a reading's timestamp, naming the member; null when nothing is. */
export const timeFault = (text: string, atMs: number, latestMs: number): string | null => {
  if (Number.isNaN(atMs)) {
    return `.timestamp is "${text.slice(0, 40)}"; give RFC 3339 with an offset, for example 2026-07-01T18:00:00Z`;
  }
  if (atMs < 0) return `.timestamp is ${text}; times before 1970 are refused`;
  if (atMs > latestMs)
    return `.timestamp is ${text}, which lies in the future; at most 5 minutes ahead are taken, check the clock`;
  return null;
};

/** The distinct meters and sites of an upload; consecutive readings mostly name the same one. */
class Sources {
  readonly list: ReadingSource[] = [];
  private readonly byMeter = new Map<string, number>();
  private readonly bySite = new Map<string, number>();

  indexOf(reading: UploadedReading, at: number): number {
    return reading.meter_id === undefined
      ? this.find(this.bySite, "site", reading.site_id ?? "", at)
      : this.find(this.byMeter, "meter", reading.meter_id, at);
  }

  private find(known: Map<string, number>, kind: ReadingSource["kind"], id: string, at: number): number {
    const found = known.get(id);
    if (found !== undefined) return found;
    known.set(id, this.list.length);
    return this.list.push({ kind, id, at }) - 1;
  }
}
