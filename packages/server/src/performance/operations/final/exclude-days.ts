import { isDate } from "@curtail/measure";
import type { Actor } from "../../../access/domain/account.js";
import type { AccessStores } from "../../../access/operations/access-stores.js";
import type { Ports } from "../../../platform/ports.js";
import { quote } from "../../../platform/quote.js";
import { invalid, notFound, type Refusal, type Result } from "../../../platform/refusal.js";
import type { PortfolioStores } from "../../../portfolio/operations/portfolio-stores.js";
import { type ExcludedDay, noteOn } from "../../domain/excluded-day.js";
import type { PerformanceStores } from "../performance-stores.js";

export type ExcludingStores = Pick<PerformanceStores, "excludedDays" | "late"> &
  Pick<PortfolioStores, "sites"> &
  Pick<AccessStores, "audit">;

type Exclusion = Pick<ExcludedDay, "siteId" | "date" | "reason">;

/** Excludes a day of a site from baselines; results whose look-back has the day follow (M15). */
export const excludeDay = ({ transact, clock }: Ports<ExcludingStores>, actor: Actor, exclusion: Exclusion) =>
  transact(async ({ sites, excludedDays, late, audit }): Promise<Result<ExcludedDay>> => {
    const { siteId, date, reason } = exclusion;
    // Two changes of one day follow each other.
    const site = await sites.lock(siteId);
    if (site === null) return notFound("site");
    const refusal = refuseExclusion(exclusion);
    if (refusal !== null) return refusal;
    const before = await excludedDays.find(siteId, date);
    if (before?.reason === reason) return before;
    const at = clock.now();
    const after: ExcludedDay = { ...exclusion, actor, at };
    await excludedDays.save(after);
    await late.excludedDayChange({ siteId, date, actor, note: noteOn(date, reason) }, at);
    const action = before === null ? "excluded_day.create" : "excluded_day.change";
    await audit.append({ actor, at }, action, { id: siteId, accountId: site.accountId }, { before, after });
    return after;
  });

/** Refuses a date that no calendar has, or a reason without words. */
const refuseExclusion = ({ date, reason }: Pick<ExcludedDay, "date" | "reason">): Refusal | null => {
  if (!isDate(date)) return invalid(`${quote(date)} is not a day of the calendar; give it as YYYY-MM-DD`);
  return reason.trim() === "" ? invalid("reason is blank; say why the day is excluded") : null;
};

/** Lets an excluded day count again. */
export const includeDay = (
  { transact, clock }: Ports<ExcludingStores>,
  actor: Actor,
  { siteId, date }: Pick<ExcludedDay, "siteId" | "date">,
) =>
  transact(async ({ sites, excludedDays, late, audit }): Promise<Result<ExcludedDay>> => {
    const site = await sites.lock(siteId);
    if (site === null) return notFound("site");
    const before = isDate(date) ? await excludedDays.remove(siteId, date) : null;
    if (before === null) return notFound("excluded day");
    const at = clock.now();
    await late.excludedDayChange({ siteId, date, actor, note: noteOn(date, null) }, at);
    const subject = { id: siteId, accountId: site.accountId };
    await audit.append({ actor, at }, "excluded_day.delete", subject, { before });
    return before;
  });
