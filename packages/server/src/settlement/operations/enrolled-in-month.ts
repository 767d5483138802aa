import { dateOf, dayOfDate, localTime } from "@curtail/measure";
import { grouped } from "../../platform/grouped.js";
import { turns } from "../../platform/turns.js";
import { capacityDaysOf, type DayOfMonth } from "../domain/capacity-days.js";
import type { EnrolledPeriod } from "../domain/enrolled-period.js";
import { SETTLEMENT_RULES } from "../domain/settlement-rules.js";
import { rulesOf, type SettledProgram, type SiteToSettle } from "../domain/statement.js";
import type { EnrolmentHistory, SiteEnrolments } from "./settlement-stores.js";

/** A site that a statement settles because it was enrolled. */
export interface EnrolledInMonth
  extends Pick<SiteEnrolments, "programId" | "accountId">,
    Omit<SiteToSettle, "results"> {}

/** The sites that were enrolled in programs in a month: at its end or, by later rules, on any of its days. */
export const enrolledInMonth = async (
  history: EnrolmentHistory,
  month: string,
  programs: readonly SettledProgram[],
  accountId: string | null,
): Promise<readonly EnrolledInMonth[]> => {
  if (programs.length === 0) return [];
  const all = await history.periods(programs, accountId);
  const paying = new Set(programs.flatMap(({ id, terms }) => (terms.capacity === null ? [] : [id])));
  const competing = grouped(
    all
      .filter(({ programId }) => paying.has(programId))
      .flatMap(({ siteId, periods }) => periods.map((period) => ({ siteId, period }))),
    ({ siteId }) => siteId,
  );
  const ofSite = (siteId: string) => (competing.get(siteId) ?? []).map(({ period }) => period);
  const byProgram = grouped(all, ({ programId }) => programId);
  const found: EnrolledInMonth[] = [];
  const turn = turns();
  for (const program of programs) {
    const daysOf = enrolledDays(program, month);
    for (const site of byProgram.get(program.id) ?? []) {
      found.push(...daysOf(site, paying.has(program.id) ? ofSite(site.siteId) : site.periods));
      await turn();
    }
  }
  return found;
};

const enrolledDays = (program: SettledProgram, month: string) => {
  const days = daysOfMonth(month, program.timezone);
  const { isProrated } = SETTLEMENT_RULES[rulesOf(program)];
  return (
    { programId, siteId, accountId, name }: SiteEnrolments,
    periods: readonly EnrolledPeriod[],
  ): readonly EnrolledInMonth[] => {
    const capacity = capacityDaysOf(programId, isProrated ? days : days.slice(-1), periods);
    if (!capacity.some(({ isEnrolled }) => isEnrolled)) return [];
    const { isEnrolled = false, commitmentKw = null } = capacity.at(-1) ?? {};
    return [{ programId, siteId, accountId, name, isEnrolled, commitmentKw, ...(isProrated ? { capacity } : {}) }];
  };
};

/** The local days of a month, `YYYY-MM`. */
export const daysOfMonth = (month: string, timezone: string): readonly DayOfMonth[] => {
  const time = localTime(timezone);
  const days: DayOfMonth[] = [];
  for (let day = dayOfDate(`${month}-01`); dateOf(day).startsWith(month); day++)
    days.push({ date: dateOf(day), lastMs: time.startOf(day + 1) * 1000 - 1 });
  return days;
};
