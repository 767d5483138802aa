import { EXPECTED_MS, FRESH_MS } from "./overview.js";

/** A site and its meters, each with its newest reading. */
export interface ReportingSite {
  readonly meters: ReadonlyArray<{
    /** Whether it counts in the load of its site. */
    readonly isLoad: boolean;
    readonly newest: { readonly at: Date; readonly kw: number } | null;
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

/** Counts sites by how they report: the rule of `siteReadings`, for all sites at once. */
export class ReportingCounts {
  private sites = 0;
  private sitesStreaming = 0;
  private sitesStale = 0;
  private meters = 0;
  private loadMeters = 0;
  private loadMetersReporting = 0;
  private loadKw = 0;

  add({ meters }: ReportingSite, now: Date): void {
    let [isStreaming, lacksOne] = [false, false];
    for (const { isLoad, newest } of meters) {
      const ageMs = newest === null ? Number.POSITIVE_INFINITY : now.getTime() - newest.at.getTime();
      const isFresh = ageMs < FRESH_MS;
      isStreaming ||= isFresh;
      lacksOne ||= !isFresh && ageMs < EXPECTED_MS;
      if (isLoad) this.addLoad(isFresh ? (newest?.kw ?? 0) : null);
    }
    this.meters += meters.length;
    this.sites += 1;
    if (isStreaming) this.sitesStreaming += 1;
    if (lacksOne || !isStreaming) this.sitesStale += 1;
  }

  private addLoad(kw: number | null): void {
    this.loadMeters += 1;
    if (kw === null) return;
    this.loadMetersReporting += 1;
    this.loadKw += kw;
  }

  all(): ReportingCount {
    const { sites, sitesStreaming, sitesStale, meters, loadMeters, loadMetersReporting, loadKw } = this;
    const load = loadMetersReporting === 0 ? null : loadKw;
    return { sites, sitesStreaming, sitesStale, meters, loadMeters, loadMetersReporting, loadKw: load };
  }
}
