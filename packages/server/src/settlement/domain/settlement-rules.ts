import type { RulesVersion } from "../../portfolio/domain/rules.js";

/** What a version of the rules settles otherwise than the one before. */
export interface SettlementRules {
  /** An interval of a site is paid in one dispatch alone, and its kW of commitment in one program alone. */
  readonly isExclusive: boolean;
  /** Commitments count for the days that they hold; else the one at the end of the month counts for all of it. */
  readonly isProrated: boolean;
  /** Without a commitment, nothing is paid that is limited by one. */
  readonly needsCommitment: boolean;
  /** The factor of a month without a dispatch lies within the limits of the terms; else it is 1. */
  readonly limitsDefault: boolean;
}

/** Statements of a month follow the rules of that month for ever: a version that was published never changes (G64). */
export const SETTLEMENT_RULES = {
  1: { isExclusive: false, isProrated: false, needsCommitment: false, limitsDefault: false },
  2: { isExclusive: true, isProrated: true, needsCommitment: true, limitsDefault: true },
} as const satisfies Record<RulesVersion, SettlementRules>;
