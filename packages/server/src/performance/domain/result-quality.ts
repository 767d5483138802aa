import type { Actor } from "../../access/domain/account.js";

/**
 * How a site counts in a dispatch, for factors and penalties (G64). `not_delivered`: as a site that delivered nothing.
 * `not_judged`: neither for it nor against it.
 */
export type Counting = "as_measured" | "not_delivered" | "not_judged";

/** What an operator decided about a site of a dispatch, with the reason. */
export interface SiteDecision {
  readonly counts: Exclude<Counting, "as_measured">;
  readonly reason: string;
  readonly actor: Actor;
  readonly atMs: number;
}

/** How far a result can be relied on. */
export interface ResultQuality {
  /** By the rules, whatever was decided. */
  readonly counts: Counting;
  /**
   * Why it is not as measured. `readings_missing`: the site's own readings. `too_new`: enrolled for fewer days than its method
   * needs, and all readings of the dispatch are there. `no_baseline`: for another reason, which is not the site's.
   */
  readonly reason: "readings_missing" | "too_new" | "no_baseline" | null;
  /** Look-back days that were dropped since readings are missing, if two or more (G65). */
  readonly gapDays: readonly string[];
  /** By how much that raised the baseline on average; null: unknown. */
  readonly gapGainKw: number | null;
  readonly decision: SiteDecision | null;
}

/** How the site counts: as decided or, without a decision, by the rules. */
export const countingOf = ({ counts, decision }: Pick<ResultQuality, "counts" | "decision">): Counting =>
  decision?.counts ?? counts;

export interface Grounds {
  /** 30-second intervals of the dispatch, and those with load. */
  readonly expected: number;
  readonly present: number;
  /** Whether it is judged by its load alone, as with a firm service level. */
  readonly needsNoBaseline: boolean;
  readonly hasBaseline: boolean;
  /** Whether earlier readings of the site's own are missing, without which there is no baseline. */
  readonly lacksHistory: boolean;
  readonly isTooNew: boolean;
}

/** How a site counts by the rules, once the dispatch is over. */
export const ruledCounting = (grounds: Grounds): Pick<ResultQuality, "counts" | "reason"> => {
  const { expected, present, needsNoBaseline, hasBaseline, lacksHistory, isTooNew } = grounds;
  const missing = { counts: "not_delivered", reason: "readings_missing" } as const;
  if (present === 0 && expected > 0) return missing;
  if (hasBaseline || needsNoBaseline) return { counts: "as_measured", reason: null };
  if (present < expected || (lacksHistory && !isTooNew)) return missing;
  return { counts: "not_judged", reason: isTooNew ? "too_new" : "no_baseline" };
};

const COUNTED = {
  readings_missing: "It counts as not delivered: readings of the site are missing.",
  too_new: "It is not judged: the site has been enrolled for fewer days than its method needs.",
  no_baseline: "It is not judged: there is no baseline, for a reason that is not the site's.",
} as const;

const DECIDED = { not_judged: "not judged", not_delivered: "counted as not delivered" } as const;

/** The same in sentences. */
export const qualityWords = ({ reason, gapDays, gapGainKw, decision }: ResultQuality): readonly string[] => [
  ...(decision === null ? [] : [`An operator decided that it is ${DECIDED[decision.counts]}: ${decision.reason}`]),
  ...(decision !== null || reason === null ? [] : [COUNTED[reason]]),
  ...(gapDays.length === 0 ? [] : [gapWords(gapDays.length, gapGainKw)]),
];

const gapWords = (days: number, gainKw: number | null): string => {
  const dropped = `${days} days of the look-back were left out since readings of the site are missing`;
  if (gainKw === null) return `${dropped}.`;
  const kw = Math.abs(gainKw).toFixed(1);
  if (kw === "0.0") return `${dropped}; with them, the baseline would be the same.`;
  return `${dropped}; with them, the baseline would be ${kw} kW ${gainKw > 0 ? "lower" : "higher"}.`;
};
