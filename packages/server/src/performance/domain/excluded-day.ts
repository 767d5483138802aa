import type { Actor } from "../../access/domain/account.js";

/** A local day of a site that an operator excluded from baselines (M15). */
export interface ExcludedDay {
  readonly siteId: string;
  /** YYYY-MM-DD, in the time zone of the program that measures. */
  readonly date: string;
  readonly reason: string;
  readonly actor: Actor;
  readonly at: Date;
}

/** What a version says about a change; null: the day counts again. */
export const noteOn = (date: string, reason: string | null): string =>
  reason === null ? `${date} counts again` : `${date} excluded: ${reason}`;

declare module "../../access/domain/audit.js" {
  interface Audited {
    excluded_day: { action: `excluded_day.${"create" | "change" | "delete"}`; state: ExcludedDay };
  }
}
