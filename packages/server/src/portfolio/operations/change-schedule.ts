import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Caller, Manager } from "../../access/operations/caller.js";
import type { Period } from "../../platform/period.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, notFound, type Result } from "../../platform/refusal.js";
import { type AvailabilityBlock, refuseAnother, refuseBlock } from "../domain/schedule.js";
import type { PortfolioStores } from "./portfolio-stores.js";

export interface ScheduleChange extends Period {
  readonly siteId: string;
  readonly available: boolean;
  readonly end: Date;
}

/** Makes a site unavailable for dispatches for a period (G18). */
export const changeSchedule = async (
  ports: Ports<PortfolioStores & Pick<AccessStores, "audit">>,
  caller: Caller,
  { siteId, available, start, end }: ScheduleChange,
): Promise<Result<AvailabilityBlock>> => {
  const { transact, clock, newId } = ports;
  const at = clock.now();
  const act = { actor: caller.actor, at };
  const site = await ports.stores.sites.find(siteId);
  if (site?.accountId !== caller.accountId) return notFound("site");
  if (available) return invalid("available is true; only false is supported. A block ends at its end_time.");
  return transact(async (stores) => {
    // The lock waits for dispatches that are being created with the site, and delays later ones.
    await stores.sites.lock(siteId);
    const same = await stores.schedule.findSame({ siteId, start, end, availableKw: null });
    if (same !== null) return same;
    const unfinished = await stores.schedule.ofSites([siteId], at);
    const cutoffSeconds = await stores.programs.longestCutoffSeconds(siteId);
    const refusal = refuseBlock({ start, end }, cutoffSeconds, at) ?? refuseAnother(unfinished.length);
    if (refusal !== null) return refusal;
    const whole = { siteId, start, end, availableKw: null, seriesId: null };
    const block: AvailabilityBlock = { id: newId("blk"), ...whole, createdAt: at };
    await stores.schedule.insert(block);
    await stores.audit.append(act, "schedule.create", { id: block.id, accountId: site.accountId }, { after: block });
    return block;
  });
};

export const removeBlock = (
  { transact, clock }: Ports<PortfolioStores & Pick<AccessStores, "audit">>,
  { actor, within }: Manager,
  id: string,
) =>
  transact(async (stores): Promise<Result<AvailabilityBlock>> => {
    const block = await stores.schedule.remove(id, within);
    if (block === null) return notFound("schedule block");
    const accountId = (await stores.sites.find(block.siteId))?.accountId ?? null;
    await stores.audit.append({ actor, at: clock.now() }, "schedule.delete", { id, accountId }, { before: block });
    return block;
  });
