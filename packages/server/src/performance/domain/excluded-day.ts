import type { Actor } from "../../access/domain/account.js";
import { quote } from "../../platform/quote.js";
import { invalid, type Refusal } from "../../platform/refusal.js";

/** A local day of a site that an operator excluded from baselines (M15). */
export interface ExcludedDay {
  readonly siteId: string;
  /** YYYY-MM-DD, in the time zone of the program that measures. */
  readonly date: string;
  readonly reason: string;
  readonly actor: Actor;
  readonly at: Date;
}

/** Refuses a date that no calendar has, or a reason without words. */
export const refuseExclusion = ({ date, reason }: Pick<ExcludedDay, "date" | "reason">): Refusal | null => {
  if (!isDate(date)) return invalid(`${quote(date)} is not a day of the calendar; give it as YYYY-MM-DD`);
  return reason.trim() === "" ? invalid("reason is blank; say why the day is excluded") : null;
};

export const isDate = (date: string): boolean => {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${date}T`);
};

/** What a version says about a change; null: the day counts again. */
export const noteOn = (date: string, reason: string | null): string =>
  reason === null ? `${date} counts again` : `${date} excluded: ${reason}`;

declare module "../../access/domain/audit.js" {
  interface Audited {
    excluded_day: { action: `excluded_day.${"create" | "change" | "delete"}`; state: ExcludedDay };
  }
}
