import type { DispatchToMeasure, SiteToMeasure } from "../measurement-ports.js";
import { curvePeriod } from "../site-measurement.js";
import { siteMethod } from "../site-method.js";

// Measured and rounded up: a site with its explanation takes 8 kB; each hour of its curves takes 0.9 kB, plus 1.3 kB
// per meter; baseline curves on the 30-second grid take 1.9 kB more.
const SITE_BYTES = 12_000;
const SITE_HOUR_BYTES = 3000;
const METER_HOUR_BYTES = 1500;
const HOUR_MS = 3_600_000;
/** Of a day of the pool, for each interval. */
const INTERVAL_BYTES = 10;

/** Estimated memory for holding sites of a dispatch. */
export const heldBytes = (dispatch: DispatchToMeasure, sites: readonly SiteToMeasure[], nowMs: number): number => {
  const { startMs, endMs } = curvePeriod(dispatch, nowMs);
  const hours = Math.ceil((endMs - startMs) / HOUR_MS);
  const meters = sites.reduce((sum, site) => sum + site.meters.length, 0);
  const explained = sites.reduce((sum, site) => sum + hours * explainedHourBytes(dispatch, site), 0);
  return sites.length * (SITE_BYTES + hours * SITE_HOUR_BYTES) + meters * hours * METER_HOUR_BYTES + explained;
};

/** The intervals that a baseline was averaged from are part of its explanation. */
const explainedHourBytes = (dispatch: DispatchToMeasure, site: SiteToMeasure): number => {
  const method = siteMethod(dispatch, site);
  if (method.kind !== "days") return 0;
  const days = Math.max(0, ...method.rules.map(({ pool }) => pool.days));
  return days * (3600 / method.interval_seconds) * INTERVAL_BYTES;
};

/** There is no memory left to measure a dispatch. */
export class NoRoom extends Error {
  constructor(
    readonly dispatchId: string,
    /** Whether it would not fit even alone. */
    readonly isTooLarge: boolean,
  ) {
    super(`dispatch ${dispatchId} does not fit into the memory that live measurement may take`);
  }
}

/** Memory of live measurement by dispatch: estimates whose sum never exceeds the budget. */
export class MeasuringMemory {
  private readonly held = new Map<string, number>();
  private totalBytes = 0;

  constructor(readonly budgetBytes: number) {}

  get freeBytes(): number {
    return this.budgetBytes - this.totalBytes;
  }

  of(id: string): number {
    return this.held.get(id) ?? 0;
  }

  set(id: string, bytes: number): void {
    this.totalBytes += bytes - this.of(id);
    if (bytes === 0) this.held.delete(id);
    else this.held.set(id, bytes);
  }

  /** As many of the candidates as have to go for so many bytes; null where all of them would not do. */
  victimsFor(bytes: number, candidates: readonly string[]): readonly string[] | null {
    const going: string[] = [];
    let missing = bytes - this.freeBytes;
    for (const id of candidates) {
      if (missing <= 0) break;
      going.push(id);
      missing -= this.of(id);
    }
    return missing <= 0 ? going : null;
  }
}
