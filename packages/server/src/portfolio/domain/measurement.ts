/** How baselines are computed: a preset's id, or the parameters of a method. Stored as given. */
export type BaselineSetting =
  | { readonly preset: string; readonly anchor?: "start" | "notification" }
  | { readonly method: Readonly<Record<string, unknown>> };

/** Thresholds of a site's statuses: ratios, and seconds. */
export interface StatusSetting {
  readonly amberFrom: number;
  readonly greenFrom: number;
  readonly greenTo: number;
  readonly staleSeconds: number;
  readonly leastCoverage: number;
}

/** How dispatches of a program are measured. */
export interface MeasurementSettings {
  /** null: the default of the service. */
  readonly baseline: BaselineSetting | null;
  /** Local days, `YYYY-MM-DD`. */
  readonly holidays: readonly string[];
  /** null: the default thresholds. */
  readonly statusLimits: StatusSetting | null;
  /** Whether days with operators' tests count as days with events (M5). */
  readonly testsAreEvents: boolean;
  /** Days after the end until which corrections change a result; null: for ever (M15). */
  readonly correctionsDays: number | null;
}
