import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Caller } from "../../access/operations/caller.js";
import type { Ports } from "../../platform/ports.js";
import type { Result } from "../../platform/refusal.js";
import type { AvailabilityBlock } from "../domain/schedule.js";
import type { Site } from "../domain/site.js";
import { changeSchedule, type ScheduleChange } from "./change-schedule.js";
import type { PortfolioStores } from "./portfolio-stores.js";

/** Participants' requests about sites. */
export interface SiteService {
  listSites(caller: Caller): Promise<readonly Site[]>;
  changeSchedule(caller: Caller, change: ScheduleChange): Promise<Result<AvailabilityBlock>>;
}

export const siteService = (ports: Ports<PortfolioStores & Pick<AccessStores, "audit">>): SiteService => ({
  listSites: (caller) => ports.stores.sites.ofAccount(caller.accountId),
  changeSchedule: (caller, change) => changeSchedule(ports, caller, change),
});
