import type { CorrectionStore, LateNoteStore } from "./late-ports.js";
import type { ExcludedDayStore, PerformanceStore, SiteDecisionStore } from "./measurement-ports.js";

/** Stores of results, and of what changes them later. */
export interface PerformanceStores {
  readonly performance: PerformanceStore;
  readonly late: LateNoteStore;
  readonly corrections: CorrectionStore;
  readonly excludedDays: ExcludedDayStore;
  readonly decisions: SiteDecisionStore;
}
