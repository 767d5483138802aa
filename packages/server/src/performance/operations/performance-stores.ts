import type { ExcludedDayStore, LateReadings, PerformanceStore, SiteDecisionStore } from "./measurement-ports.js";

/** Stores of results, and of what changes them later. */
export interface PerformanceStores {
  readonly performance: PerformanceStore;
  readonly late: LateReadings;
  readonly excludedDays: ExcludedDayStore;
  readonly decisions: SiteDecisionStore;
}
