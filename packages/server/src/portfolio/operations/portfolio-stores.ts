import type { RulesStore } from "./rules.js";
import type { ProgramStore, ScheduleStore, SiteStore } from "./site-ports.js";

/** Stores of sites, programs and enrolments. */
export interface PortfolioStores {
  readonly sites: SiteStore;
  readonly programs: ProgramStore;
  readonly schedule: ScheduleStore;
  readonly rules: RulesStore;
}
