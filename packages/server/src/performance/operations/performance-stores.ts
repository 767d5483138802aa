import type { LateReadings, PerformanceStore } from "./measurement-ports.js";

/** Of results and what changes them later. */
export interface PerformanceStores {
  readonly performance: PerformanceStore;
  readonly late: LateReadings;
}
