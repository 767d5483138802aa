import type {
  Baseline,
  BaselineMethod,
  Compliance,
  Explanation,
  LoadSeries,
  Rebound,
  SitePerformance,
  Status,
} from "@curtail/measure";
import type { ResultQuality } from "../domain/result-quality.js";

/** What a site delivered. */
export interface SiteSummary {
  readonly siteId: string;
  readonly accountId: string;
  readonly name: string;
  readonly commitmentKw: number | null;
  readonly baseline: {
    readonly state: Baseline["state"];
    /** Why there is no baseline; null if there is one. */
    readonly reason: string | null;
    readonly provisional: boolean;
  };
  readonly performance: SitePerformance;
  /** Longest interval of its meters' readings; absent in final results, which no longer wait for readings. */
  readonly readingSeconds?: number;
  readonly status: Status;
  /** null until the dispatch has ended. */
  readonly rebound: Rebound | null;
  /** For a firm service level; null for other methods. */
  readonly compliance: Compliance | null;
  /** Absent in results by the first rules. */
  readonly quality?: ResultQuality;
}

/** A meter of a site. */
interface NamedMeter {
  readonly id: string;
  readonly name: string;
}

/** The meters whose sum is the load of a site, and those that are no part of it. */
export interface SiteMeters {
  readonly summed: readonly NamedMeter[];
  readonly leftOut: ReadonlyArray<
    NamedMeter & {
      /**
       * `not_named`: the site names other meters. `behind_poi`: it is measured at its point of interconnection. `silent`:
       * no reading in the week before the start. `younger_than_look_back`: the days that were averaged are older.
       */
      readonly reason: "not_named" | "behind_poi" | "silent" | "younger_than_look_back";
    }
  >;
}

/**
 * Everything needed to compute the result again. Curves extend from an hour before the start to an hour after the end.
 */
export interface SiteDetail {
  /** Absent in results of before it was recorded. */
  readonly meters?: SiteMeters;
  /** Id of the method's preset, if it is from one; absent in results of before it was recorded. */
  readonly preset?: string | null;
  readonly method: BaselineMethod;
  readonly explanation: Explanation;
  /** On 30 s cells. */
  readonly load: LoadSeries;
  /** The baseline on its own grid, and before its adjustment; null if there is none. */
  readonly curve: LoadSeries | null;
  readonly unadjusted: LoadSeries | null;
}

export type SiteResult = SiteSummary & SiteDetail;

/** A result whose explanation was not asked for, since it needs more readings than the numbers do. */
export type SiteNumbers = Omit<SiteResult, "explanation">;
