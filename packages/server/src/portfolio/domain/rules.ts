import type { Actor } from "../../access/domain/account.js";

/**
 * The rules by which results and statements are made. 1: those of before rules had versions. 2: a look-back day is incomplete
 * only in the hours that are used, missing readings of a site's own count as not delivered, and energy is paid once (G64, G65).
 */
export type RulesVersion = 1 | 2;

export const NEWEST_RULES = 2 satisfies RulesVersion;

/** The start of rules of a version: by an upgrade, or by an operator's act. */
export interface RulesAdoption {
  readonly rulesVersion: RulesVersion;
  readonly adoptedAt: Date;
  /** The first local month that they hold in, YYYY-MM; null: the month after that of `adoptedAt`. */
  readonly fromMonth: string | null;
  /** Who adopted them by hand, and why; null for an upgrade. */
  readonly actor: Actor | null;
  readonly reason: string | null;
}

declare module "../../access/domain/audit.js" {
  interface Audited {
    rules: {
      action: "rules.adopt";
      state: { readonly rulesVersion: RulesVersion; readonly fromMonth: string; readonly reason: string };
    };
  }
}
