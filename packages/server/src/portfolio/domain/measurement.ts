/** How baselines are computed: by a preset's id, or by a method's own parameters. Kept as it was given. */
export type BaselineSetting =
  | { readonly preset: string; readonly anchor?: "start" | "notification" }
  | { readonly method: Readonly<Record<string, unknown>> };

/** Limits between the statuses of a site: ratios, and seconds. */
export interface StatusSetting {
  readonly amberFrom: number;
  readonly greenFrom: number;
  readonly greenTo: number;
  readonly staleSeconds: number;
  readonly leastCoverage: number;
}

/** How a program's dispatches are measured. */
export interface MeasurementSettings {
  /** null: the default of the service. */
  readonly baseline: BaselineSetting | null;
  /** Local days, `YYYY-MM-DD`. */
  readonly holidays: readonly string[];
  /** null: the customary limits. */
  readonly statusLimits: StatusSetting | null;
}
