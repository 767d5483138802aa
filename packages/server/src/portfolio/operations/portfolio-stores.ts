import type { ProgramStore, ScheduleStore, SiteStore } from "./site-ports.js";

/** Of sites and what they are enrolled in. */
export interface PortfolioStores {
  readonly sites: SiteStore;
  readonly programs: ProgramStore;
  readonly schedule: ScheduleStore;
}
