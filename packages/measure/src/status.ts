import type { SitePerformance } from "./site-performance.js";

/** Limits of the status; ratios, and seconds. */
export interface StatusLimits {
  /** Below this: red. */
  readonly amberFrom: number;
  /** Below this: amber. */
  readonly greenFrom: number;
  /** Above this: blue. */
  readonly greenTo: number;
  /** A last reading older than this makes it grey. */
  readonly staleSeconds: number;
  /** Coverage below this makes it grey. */
  readonly leastCoverage: number;
}

export const STATUS_LIMITS: StatusLimits = {
  amberFrom: 0.75,
  greenFrom: 0.95,
  greenTo: 1.2,
  staleSeconds: 90,
  leastCoverage: 0.8,
};

/** A colour, and the words that say the same without it. */
export interface Status {
  readonly colour: "red" | "amber" | "green" | "blue" | "grey";
  readonly words: string;
}

/** Status of a site by its performance to date. Age counts only while the dispatch is measured. */
export const statusOf = (site: SitePerformance, nowMs: number, limits: StatusLimits = STATUS_LIMITS): Status => {
  const unknown = whyUnknown(site, nowMs, limits);
  const { performance } = site.toDate;
  if (unknown !== null) return { colour: "grey", words: unknown };
  if (performance === null) return { colour: "grey", words: "no commitment" };
  if (performance < limits.amberFrom) return { colour: "red", words: "well below commitment" };
  if (performance < limits.greenFrom) return { colour: "amber", words: "below commitment" };
  if (performance > limits.greenTo) return { colour: "blue", words: "well above commitment" };
  return { colour: "green", words: "on commitment" };
};

const whyUnknown = (
  { latest, toDate, isFinal }: SitePerformance,
  nowMs: number,
  { staleSeconds, leastCoverage }: StatusLimits,
): string | null => {
  if (latest === null) return "no readings";
  if (!isFinal && nowMs - latest.endMs > staleSeconds * 1000) return "readings are late";
  if (toDate.cellsPresent === 0) return "no baseline";
  return toDate.coverage !== null && toDate.coverage < leastCoverage ? "too few readings" : null;
};
