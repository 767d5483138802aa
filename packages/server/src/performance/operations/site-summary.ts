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

/** What a site delivered. */
export interface SiteSummary {
  readonly siteId: string;
  readonly accountId: string;
  readonly name: string;
  readonly commitmentKw: number | null;
  readonly baseline: {
    readonly state: Baseline["state"];
    /** Why there is none; null where there is one. */
    readonly reason: string | null;
    readonly provisional: boolean;
  };
  readonly performance: SitePerformance;
  /** Longest interval of its meters' readings; absent from final results, which await none. */
  readonly readingSeconds?: number;
  readonly status: Status;
  /** null until the dispatch has ended. */
  readonly rebound: Rebound | null;
  /** Of a firm service level; null for every other method. */
  readonly compliance: Compliance | null;
}

/** All it takes to compute that again. The curves reach from an hour before the start to an hour after the end. */
export interface SiteDetail {
  readonly method: BaselineMethod;
  readonly explanation: Explanation;
  /** On 30 s cells. */
  readonly load: LoadSeries;
  /** The baseline on its own grid, and before its adjustment; null where there is none. */
  readonly curve: LoadSeries | null;
  readonly unadjusted: LoadSeries | null;
}

export type SiteResult = SiteSummary & SiteDetail;
