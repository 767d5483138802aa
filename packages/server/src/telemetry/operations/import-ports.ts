import type { MeterData, ReadOptions } from "@curtail/meter-data";
import type { Ports } from "../../platform/ports.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import type { GridReadings } from "./grid-readings.js";
import type { MappingProfileStores } from "./mapping-profile.js";
import type { TelemetryReader } from "./read-telemetry.js";
import type { LateNotes } from "./record-telemetry.js";

export interface ReadingStore {
  /** Stores readings in the caller's transaction. Call it in the order of meters and time: uploads lock rows in it. */
  store(readings: GridReadings): Promise<void>;
}

export type MeterDataStores = Pick<PortfolioStores, "sites"> &
  MappingProfileStores & { readonly readings: ReadingStore };

export interface FileToRead {
  /** Emptied by reading it. */
  readonly pieces: Buffer[];
  readonly options: ReadOptions;
  /** Ends the reading. */
  readonly signal: AbortSignal;
}

/** Ports of imports besides stores. */
export interface Importing {
  /** A file that takes too much processor time or memory has a fault that says so. */
  readonly read: (file: FileToRead) => Promise<MeterData>;
  readonly late: LateNotes;
  /** For how many days readings are kept; null: forever. */
  readonly keepDays: number | null;
  /** Throws while the disk is nearly full. */
  readonly checkDisk: () => Promise<void>;
  readonly noteStored: (readings: number) => void;
}

export type MeterDataPorts = Ports<MeterDataStores> & {
  readonly telemetry: TelemetryReader;
  readonly importing: Importing;
};
