import type { SitePerformance } from "./site-performance.js";

/** Thresholds of the status: ratios, and seconds. */
export interface StatusLimits {
  /** Below this: red. */
  readonly amberFrom: number;
  /** Below this: amber. */
  readonly greenFrom: number;
  /** Above this: blue. */
  readonly greenTo: number;
  /** Grey if the last reading is older than this and than two of its intervals; see `staleAfterSeconds`. */
  readonly staleSeconds: number;
  /** Grey if the coverage is below this. */
  readonly leastCoverage: number;
}

export const STATUS_LIMITS: StatusLimits = {
  amberFrom: 0.75,
  greenFrom: 0.95,
  greenTo: 1.2,
  staleSeconds: 90,
  leastCoverage: 0.8,
};

/** Age in seconds from which a reading is stale: the limit, or twice the meter's interval if that is longer. */
export const staleAfterSeconds = (limitSeconds: number, readingSeconds = 0): number =>
  Math.max(limitSeconds, 2 * readingSeconds);

/** The thresholds for a site with readings of that interval. */
export const limitsFor = (limits: StatusLimits, readingSeconds: number): StatusLimits => ({
  ...limits,
  staleSeconds: staleAfterSeconds(limits.staleSeconds, readingSeconds),
});

/** A colour, and words with the same meaning. */
export interface Status {
  readonly colour: "red" | "amber" | "green" | "blue" | "grey";
  readonly words: string;
}

/**
 * Status of a site: of the last five minutes while the dispatch is measured, of all of it afterwards. Age counts only
 * while it is measured.
 */
export const statusOf = (site: SitePerformance, nowMs: number, limits: StatusLimits = STATUS_LIMITS): Status => {
  const unknown = whyUnknown(site, nowMs, limits);
  const { performance, shareComplying } = judgedOf(site);
  if (unknown !== null) return { colour: "grey", words: unknown };
  if (shareComplying !== null) return statusUnderLevel(shareComplying, limits);
  if (performance === null) return { colour: "grey", words: "no commitment" };
  if (performance < limits.amberFrom) return { colour: "red", words: "well below commitment" };
  if (performance < limits.greenFrom) return { colour: "amber", words: "below commitment" };
  if (performance > limits.greenTo) return { colour: "blue", words: "well above commitment" };
  return { colour: "green", words: "on commitment" };
};

/** Under a firm service level, compliance is the status, whatever was committed (M12). */
const statusUnderLevel = (shareComplying: number, { amberFrom, greenFrom }: StatusLimits): Status => {
  if (shareComplying < amberFrom) return { colour: "red", words: "above the firm service level" };
  if (shareComplying < greenFrom) return { colour: "amber", words: "at times above the firm service level" };
  return { colour: "green", words: "at or below the firm service level" };
};

const judgedOf = ({ recent, toDate }: SitePerformance) => recent ?? toDate;

const whyUnknown = (
  site: SitePerformance,
  nowMs: number,
  { staleSeconds, leastCoverage }: StatusLimits,
): string | null => {
  const { latest, toDate, isFinal } = site;
  if (latest === null) return toDate.cellsExpected === 0 ? "no reading due yet" : "no readings";
  if (!isFinal && nowMs - latest.endMs > staleSeconds * 1000) return "readings are late";
  if (toDate.cellsPresent === 0) return "no baseline";
  const { coverage, cellsPresent } = judgedOf(site);
  return cellsPresent === 0 || (coverage !== null && coverage < leastCoverage) ? "too few readings" : null;
};
