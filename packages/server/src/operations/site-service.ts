import type { Result } from "../domain/refusal.js";
import type { AvailabilityBlock } from "../domain/schedule.js";
import type { Site } from "../domain/site.js";
import { changeSchedule, type ScheduleChange } from "./change-schedule.js";
import type { Caller, Ports } from "./ports.js";

/** What a participant can ask about its sites. */
export interface SiteService {
  listSites(caller: Caller): Promise<readonly Site[]>;
  changeSchedule(caller: Caller, change: ScheduleChange): Promise<Result<AvailabilityBlock>>;
}

export const siteService = (ports: Ports): SiteService => ({
  listSites: (caller) => ports.stores.sites.ofAccount(caller.accountId),
  changeSchedule: (caller, change) => changeSchedule(ports, caller, change),
});
