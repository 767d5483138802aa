import type { MeterKey } from "@curtail/measure";
import type { Caller } from "../../access/operations/caller.js";
import type { Clock } from "../../platform/clock.js";
import { invalid, isRefusal, type Result } from "../../platform/refusal.js";
import {
  ReadingCheck,
  type ReadingSource,
  type Readings,
  refuseEnergies,
  refuseMany,
  refuseTimes,
  sourcesInKwh,
  timeBounds,
  type UploadedReading,
} from "../domain/reading.js";
import type { GridReadings } from "./grid-readings.js";
import { newestIntervals } from "./meter-interval.js";
import { type AdmittedReadings, chargesOf, powersOf } from "./readings-by-kind.js";
import type { Upload } from "./upload.js";

/** Why a source does not resolve to exactly one meter of the account. */
export type UnresolvedSource = "unknown" | "no_meter" | "several_meters";

export interface MeterDirectory {
  /** The meter of each source, in order; those of other accounts are unknown (G4). */
  resolve(accountId: string, sources: readonly ReadingSource[]): Promise<ReadonlyArray<MeterKey | UnresolvedSource>>;
}

/** Which meters send their state of charge as kWh (G59). */
export interface ChargeMeters {
  /** Those among the meters of the caller's account, by number. */
  among(caller: Caller, meters: readonly number[]): Promise<ReadonlySet<number>>;
}

export interface TelemetryArchive {
  /**
   * Stores all or none; resolves only after the commit. A later reading replaces what it overlaps.
   *
   * @param charges states of charge in kWh, in place of powers; null: none
   */
  write(readings: GridReadings, charges?: GridReadings | null): Promise<void>;
}

/** Notified of late readings, which may change measured results. */
export interface LateNotes {
  /** Called before they are stored; returns what to call afterwards, null if none is late. */
  note(readings: GridReadings): Promise<(() => Promise<void>) | null>;
}

export interface MeterIntervalStore {
  /** Stores the interval of meters' readings in seconds, by meter number. */
  note(intervals: ReadonlyMap<number, number>): Promise<void>;
}

/** Ports for checking an upload. */
export interface AdmissionPorts {
  readonly meters: MeterDirectory;
  readonly chargeMeters: ChargeMeters;
  readonly clock: Clock;
  readonly maxReadings: number;
  /** For how many days readings are kept; absent or null: forever. */
  readonly keepDays?: number | null;
}

export type TelemetryPorts = AdmissionPorts & {
  readonly archive: TelemetryArchive;
  /** Absent if nothing is measured. */
  readonly late?: LateNotes;
  readonly intervals?: MeterIntervalStore;
};

/** Readings as sent, or as columns that are checked except for the limit on future readings. */
export type TelemetryUpload = Upload<UploadedReading> | Readings;

/** Stores or refuses an upload as a whole; returns the number of readings stored. */
export const recordTelemetry = async (
  ports: TelemetryPorts,
  caller: Caller,
  upload: TelemetryUpload,
): Promise<Result<number>> => {
  const admitted = await admitTelemetry(ports, caller, upload);
  if (isRefusal(admitted)) return admitted;
  const { count } = admitted.readings;
  if (count > 0) await keep(ports, admitted);
  return count;
};

/** Checks an upload as a whole, without storing anything. */
export const admitTelemetry = async (
  ports: AdmissionPorts,
  caller: Caller,
  upload: TelemetryUpload,
): Promise<Result<AdmittedReadings>> => {
  const readings = await checked(ports, upload);
  if (isRefusal(readings)) return readings;
  if (readings.count === 0) return { readings, keys: [], charged: new Set() };
  const resolved = await ports.meters.resolve(caller.accountId, readings.sources);
  for (const [index, key] of resolved.entries())
    if (typeof key === "string") return unresolved(key, readings.sources[index], readings.placeOf);
  const keys = resolved as readonly MeterKey[];
  const charged = await chargedIn(ports, caller, readings, keys);
  return refuseEnergies(readings, charged) ?? { readings, keys, charged };
};

const chargedIn = async (
  { chargeMeters }: AdmissionPorts,
  caller: Caller,
  readings: Readings,
  keys: readonly MeterKey[],
): Promise<ReadonlySet<number>> => {
  const meterOf = (source: number): number => keys[source]?.meter ?? 0;
  const inKwh = sourcesInKwh(readings);
  if (inKwh.size === 0) return inKwh;
  const charging = await chargeMeters.among(caller, [...inKwh].map(meterOf));
  return new Set([...inKwh].filter((source) => charging.has(meterOf(source))));
};

const checked = async (ports: AdmissionPorts, upload: TelemetryUpload): Promise<Result<Readings>> => {
  const { clock, maxReadings, keepDays = null } = ports;
  const bounds = timeBounds(clock.now(), keepDays);
  const many = refuseMany("placeOf" in upload ? "the report" : "telemetry", upload.count, maxReadings);
  if (many !== null) return many;
  if (!("batches" in upload)) return refuseTimes(upload, bounds) ?? upload;
  const check = new ReadingCheck(upload.count, bounds);
  for await (const batch of upload.batches()) for (const reading of batch) check.add(reading);
  return check.result();
};

const none: ReadonlyMap<number, number> = new Map();

/** Late readings are noted before they are stored, so that no crash in between hides them from measurement. */
const keep = async ({ archive, late, intervals, clock }: TelemetryPorts, admitted: AdmittedReadings): Promise<void> => {
  const readings = powersOf(admitted);
  // Before the readings, so that their consumers know when the next are due.
  const newest = intervals === undefined ? none : newestIntervals(readings, clock.now());
  if (newest.size > 0) await intervals?.note(newest);
  const settle = await late?.note(readings);
  await archive.write(readings, chargesOf(admitted));
  await settle?.();
};

const unresolved = (why: UnresolvedSource, source: ReadingSource | undefined, placeOf: Readings["placeOf"]) => {
  const { at = 0, kind = "site" } = source ?? {};
  const place = placeOf === undefined ? `telemetry[${at}].${kind}_id names` : `${placeOf(at)} is of`;
  switch (why) {
    case "unknown":
      return invalid(`${place} no ${kind} of this account; GET /sites lists them. Nothing was stored.`);
    case "no_meter":
      return invalid(`${place} a site without a meter; ask the operator to add one. Nothing was stored.`);
    case "several_meters":
      return invalid(
        `${place} a site with several meters; ${placeOf === undefined ? "give meter_id instead" : "send the load of each meter to POST /telemetry"}. Nothing was stored.`,
      );
  }
};
