import { FRESH_MS, type NewestReading, siteReadings } from "./overview.js";

/** A site and its meters, each with its newest reading. */
export interface ReportingSite {
  readonly meters: ReadonlyArray<{
    /** Whether it counts in the load of its site. */
    readonly isLoad: boolean;
    readonly newest: NewestReading | null;
  }>;
}

export interface ReportingCount {
  readonly sites: number;
  readonly sitesStreaming: number;
  /** Without a meter that is streaming, or with one that fell silent. */
  readonly sitesStale: number;
  readonly meters: number;
  /** Meters that count in the load, and those of them that report now. */
  readonly loadMeters: number;
  readonly loadMetersReporting: number;
  /** Null: none of them reports. */
  readonly loadKw: number | null;
}

/** Counts sites by how they report. */
export class ReportingCounts {
  private sites = 0;
  private sitesStreaming = 0;
  private sitesStale = 0;
  private meters = 0;
  private loadMeters = 0;
  private loadMetersReporting = 0;
  private loadKw = 0;

  add({ meters }: ReportingSite, now: Date): void {
    const { loadKw, isStale } = siteReadings(
      meters.flatMap(({ newest }) => newest ?? []),
      now,
    );
    for (const { isLoad, newest } of meters) if (isLoad) this.addLoad(newest, now);
    this.meters += meters.length;
    this.sites += 1;
    if (loadKw !== null) this.sitesStreaming += 1;
    if (isStale) this.sitesStale += 1;
  }

  private addLoad(newest: NewestReading | null, now: Date): void {
    this.loadMeters += 1;
    if (newest === null || newest.at.getTime() <= now.getTime() - FRESH_MS) return;
    this.loadMetersReporting += 1;
    this.loadKw += newest.powerKw;
  }

  all(): ReportingCount {
    const { sites, sitesStreaming, sitesStale, meters, loadMeters, loadMetersReporting, loadKw } = this;
    const load = loadMetersReporting === 0 ? null : loadKw;
    return { sites, sitesStreaming, sitesStale, meters, loadMeters, loadMetersReporting, loadKw: load };
  }
}
