/** What an import of meter data stored, for the audit log: counts, no readings. */
export interface ImportedMeterData {
  readonly siteId: string;
  readonly format: string;
  readonly meterIds: readonly string[];
  readonly intervals: number;
  readonly estimatedIntervals: number;
  readonly start: Date;
  readonly end: Date;
}

declare module "../../access/domain/audit.js" {
  interface Audited {
    meter_data: { action: "meter_data.import"; state: ImportedMeterData };
  }
}

/** More would be one transaction for too long. */
export const MAX_IMPORT_HOURS = 100_000;
