import { Offences } from "../../platform/offences.js";
import { quote } from "../../platform/quote.js";
import { invalid, type Refusal, type Result } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp, parseTimestamp } from "../../platform/timestamp.js";
import { keptFromMs } from "./retention.js";

/** An uploaded telemetry reading; its shape is checked, its rules are not yet. */
export interface UploadedReading {
  readonly interval_seconds: number;
  readonly timestamp: string;
  readonly meter_id?: string;
  readonly site_id?: string;
  readonly kW?: number;
  readonly value?: number;
  readonly units?: "kW" | "kWh";
}

/** Readings as columns: an upload has up to 50,000, and an object for each would cost more than parsing it. */
export interface Readings {
  readonly count: number;
  readonly endMs: Float64Array;
  readonly intervalSeconds: Int32Array;
  readonly powerKw: Float64Array;
  /** What was sent in kWh, NaN for readings in kW; null if all are. */
  readonly energyKwh: Float64Array | null;
  /** Index in `sources` of each reading's source. */
  readonly source: Int32Array;
  readonly sources: readonly ReadingSource[];
  /** Names a reading in messages, as it was sent; absent: `telemetry[0]`. */
  readonly placeOf?: (index: number) => string;
}

/** What a reading names: a meter, or a site with exactly one. `at` is the index of the first reading that names it. */
export interface ReadingSource {
  readonly kind: "meter" | "site";
  readonly id: string;
  readonly at: number;
}

/** How far a reading may be ahead of the service's clock (G27). */
const MAX_FUTURE_MS = 300_000;
export const MAX_POWER_KW = 10_000_000;

/** Refuses uploads with too many readings. */
export const refuseMany = (list: string, count: number, maxReadings: number): Refusal | null =>
  count <= maxReadings ? null : invalid(tooManyReadings(list, maxReadings));

export const tooManyReadings = (list: string, maxReadings: number): string =>
  `${list} has more than ${maxReadings} readings, the maximum per upload; split it`;

/** Times that readings may have, in Unix milliseconds. */
export interface TimeBounds {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** @param keepDays null: readings of any age are kept */
export const timeBounds = (now: Date, keepDays: number | null): TimeBounds => ({
  earliestMs: keepDays === null ? 0 : keptFromMs(now, keepDays),
  latestMs: now.getTime() + MAX_FUTURE_MS,
});

/**
 * Refuses energies whose power is too large; those of batteries are no energies.
 *
 * @param charged indexes of sources whose kWh are a state of charge
 */
export const refuseEnergies = (readings: Readings, charged: ReadonlySet<number>): Refusal | null => {
  const { count, source, energyKwh, powerKw, placeOf = (index) => `telemetry[${index}].value` } = readings;
  if (energyKwh === null) return null;
  const offences = new Offences();
  for (let index = 0; index < count; index++) {
    const kw = powerKw[index] ?? Number.NaN;
    const isAllowed =
      Math.abs(kw) <= MAX_POWER_KW || Number.isNaN(energyKwh[index]) || charged.has(source[index] ?? -1);
    if (!isAllowed) offences.add(() => `${placeOf(index)}${powerFault(kw)}`);
  }
  return offences.refusal();
};

/** Indexes of the sources with a reading in kWh. */
export const sourcesInKwh = ({ count, source, energyKwh }: Readings): ReadonlySet<number> => {
  const found = new Set<number>();
  if (energyKwh === null) return found;
  for (let index = 0; index < count; index++) if (!Number.isNaN(energyKwh[index])) found.add(source[index] ?? -1);
  return found;
};

/** Refuses readings too far in the future, or too old to be kept; their other rules are already checked. */
export const refuseTimes = ({ count, endMs, placeOf }: Readings, bounds: TimeBounds): Refusal | null => {
  const { earliestMs, latestMs } = bounds;
  const offences = new Offences();
  for (let index = 0; index < count; index++) {
    const atMs = endMs[index] ?? Number.NaN;
    if (atMs > latestMs || atMs < earliestMs) {
      const [place, says] = placeOf === undefined ? [`telemetry[${index}]`] : [placeOf(index), " ends at"];
      offences.add(() => `${place}${timeFault(formatTimestamp(atMs), atMs, bounds, says)}`);
    }
  }
  return offences.refusal();
};

/**
 * Checks every reading's rules (G20, G26, G27); refuses the whole upload, listing the faults, if any reading breaks
 * one.
 */
export class ReadingCheck {
  private readonly columns: ReadingColumns;
  private readonly offences = new Offences();
  private index = 0;

  /** @param count number of readings to add */
  constructor(
    count: number,
    private readonly bounds: TimeBounds,
  ) {
    this.columns = new ReadingColumns(count);
  }

  add(reading: UploadedReading): void {
    const { columns, bounds } = this;
    const endMs = parseTimestamp(reading.timestamp);
    const powerKw = powerOf(reading);
    const fault = faultOf(reading, endMs, bounds, powerKw);
    if (fault === null) {
      const energyKwh = reading.units === "kWh" ? reading.value : undefined;
      columns.add(endMs, reading.interval_seconds, powerKw, sourceIn(columns, reading), energyKwh);
    } else this.offences.add(() => `telemetry[${this.index}]${fault}`);
    this.index += 1;
  }

  result(): Result<Readings> {
    return this.offences.refusal() ?? this.columns.filled();
  }
}

const sourceIn = (columns: ReadingColumns, { meter_id, site_id = "" }: UploadedReading): number =>
  meter_id === undefined ? columns.sourceOf("site", site_id) : columns.sourceOf("meter", meter_id);

/** Collects readings into columns of fixed capacity. */
export class ReadingColumns {
  private count = 0;
  private readonly endMs: Float64Array;
  private readonly intervalSeconds: Int32Array;
  private readonly powerKw: Float64Array;
  private energyKwh: Float64Array | null = null;
  private readonly source: Int32Array;
  private sources: ReadingSource[] = [];
  private readonly known = { meter: new Map<string, number>(), site: new Map<string, number>() };

  constructor(private readonly capacity: number) {
    this.endMs = new Float64Array(capacity);
    this.intervalSeconds = new Int32Array(capacity);
    this.powerKw = new Float64Array(capacity);
    this.source = new Int32Array(capacity);
  }

  /** @param energyKwh what was sent, if it was kWh */
  add(endMs: number, intervalSeconds: number, powerKw: number, source: number, energyKwh?: number): void {
    const index = this.count++;
    this.endMs[index] = endMs;
    this.intervalSeconds[index] = intervalSeconds;
    this.powerKw[index] = powerKw;
    this.source[index] = source;
    if (energyKwh === undefined) return;
    this.energyKwh ??= new Float64Array(this.capacity).fill(Number.NaN);
    this.energyKwh[index] = energyKwh;
  }

  /** How many readings were added. */
  get length(): number {
    return this.count;
  }

  /** Begins with sources that readings named already, in the order of their indexes. */
  beginWith(sources: readonly ReadingSource[]): void {
    this.sources = [...sources];
    for (const [index, { kind, id }] of sources.entries()) this.known[kind].set(id, index);
  }

  /** Index of the meter or site of the next reading. */
  sourceOf(kind: ReadingSource["kind"], id: string): number {
    const known = this.known[kind];
    const found = known.get(id);
    if (found !== undefined) return found;
    known.set(id, this.sources.length);
    return this.sources.push({ kind, id, at: this.count }) - 1;
  }

  /** @param sources of all readings, if they were not added by `sourceOf` */
  filled(sources: readonly ReadingSource[] = this.sources): Readings {
    const { count } = this;
    return {
      count,
      endMs: this.endMs.subarray(0, count),
      intervalSeconds: this.intervalSeconds.subarray(0, count),
      powerKw: this.powerKw.subarray(0, count),
      energyKwh: this.energyKwh?.subarray(0, count) ?? null,
      source: this.source.subarray(0, count),
      sources,
    };
  }
}

/**
 * Average power of an energy over an interval (G20), without rounding noise. Where the decimals of the power have no end, as over
 * 210 or 270 seconds, it is exact to the bit: days of such readings are packed by it.
 */
export const powerOfEnergy = (energyKwh: number, intervalSeconds: number): number => {
  const powerKw = (energyKwh * 3600) / intervalSeconds;
  return 3600 % intervalSeconds === 0 ? rounded(powerKw) : powerKw;
};

const powerFault = (powerKw: number): string => ` is ${powerKw} kW; its magnitude may be at most ${MAX_POWER_KW} kW`;

/** Power in kW from `kw`, from `value` in kW, or from an energy (G20); NaN if no shape is complete. */
const powerOf = (reading: UploadedReading): number => {
  if (reading.kW !== undefined) return reading.kW;
  if (reading.value === undefined || reading.units === undefined) return Number.NaN;
  return reading.units === "kW" ? reading.value : powerOfEnergy(reading.value, reading.interval_seconds);
};

const faultOf = (reading: UploadedReading, endMs: number, bounds: TimeBounds, powerKw: number): string | null => {
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
  // The power of an energy is checked once it is known that it is no state of charge.
  const { kW, value = kW ?? Number.NaN, units = "kW" } = reading;
  if (!(Math.abs(value) <= MAX_POWER_KW)) {
    const member = kW === undefined ? "value" : "kW";
    return `.${member} is ${value} ${units}; its magnitude may be at most ${MAX_POWER_KW} ${units}`;
  }
  return timeFault(reading.timestamp, endMs, bounds);
};

/**
 * The fault of a reading's time; null if there is none.
 *
 * @param says the beginning of the message
 */
export const timeFault = (
  text: string,
  atMs: number,
  { earliestMs, latestMs }: TimeBounds,
  says = ".timestamp is",
): string | null => {
  if (Number.isNaN(atMs)) {
    return `${says} "${quote(text)}"; give RFC 3339 with an offset, for example 2026-07-01T18:00:00Z`;
  }
  if (atMs < 0) return `${says} ${quote(text)}; times before 1970 are refused`;
  if (atMs < earliestMs)
    return `${says} ${quote(text)}; readings before ${formatTimestamp(earliestMs)} are not kept any more, leave them out`;
  if (atMs > latestMs)
    return `${says} ${quote(text)}, which is in the future; timestamps may be at most 5 minutes ahead, check the clock`;
  return null;
};
