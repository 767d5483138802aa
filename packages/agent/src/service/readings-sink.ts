import type { Reading } from "../readings/meter-sampler.js";

/** Where readings go. */
export interface ReadingsSink {
  /** Resolves once the readings are on disk, or are kept because the disk takes none; not once they are uploaded. */
  put(readings: readonly Reading[]): Promise<void>;
  readonly status: SinkStatus;
  /** Stops uploading; what was not uploaded stays. */
  close(): Promise<void>;
}

export interface SinkStatus {
  /** Readings that wait to be uploaded. */
  readonly waiting: number;
  /** Readings that are in memory only, because the disk took none. */
  readonly unstored: number;
  /** Readings that the service refused, kept apart with its reason. */
  readonly refused: number;
  /** Readings that were dropped because the disk space for them was used up. */
  readonly dropped: number;
  /** Why the last upload failed; null: it succeeded. */
  readonly fault: string | null;
  /** Why readings could not be stored here; null: they were. */
  readonly disk_fault: string | null;
  /** Of the last upload to the sandbox: ids that production would refuse. */
  readonly warnings: readonly string[];
}

/** A reading as the interface takes it. */
export interface WireReading {
  readonly meter_id: string;
  readonly interval_seconds: number;
  readonly timestamp: string;
  readonly kW: number;
}

export const wireReading = ({ meterId, endMs, intervalMs, kw }: Reading): WireReading => ({
  meter_id: meterId,
  interval_seconds: intervalMs / 1000,
  timestamp: new Date(endMs).toISOString(),
  // Fractions of a watt mean nothing, and long fractions fill the disk.
  kW: Math.round(kw * 1e6) / 1e6,
});
