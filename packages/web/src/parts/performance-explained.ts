import type { SitePerformanceDetail } from "@curtail/contract";

/** The explanation of a baseline as it comes over the interface; docs/measurement.md says what its members are. */
export type Explained = DaysExplained | MeterBeforeExplained | FlatExplained | LevelExplained;

export interface DaysExplained {
  readonly kind: "days";
  readonly timezone: string;
  readonly interval_seconds: number;
  readonly event_date: string;
  readonly event_day_type: string;
  readonly pool: readonly {
    readonly date: string;
    readonly event_mean_kw: number;
    readonly energy_kwh: number;
    readonly missing_intervals: number;
  }[];
  readonly dropped: readonly { readonly date: string; readonly why: string }[];
  readonly chosen: readonly string[] | null;
  readonly chosen_by_interval: Readonly<Record<string, readonly string[]>> | null;
  readonly adjustment: AdjustmentExplained | null;
}

export interface AdjustmentExplained {
  readonly kind: "additive" | "multiplicative";
  readonly window_start: string;
  readonly window_end: string;
  readonly actual_mean_kw: number | null;
  readonly baseline_mean_kw: number | null;
  readonly raw: number | null;
  readonly applied: number;
  readonly not_applied: string | null;
}

export interface MeterBeforeExplained {
  readonly kind: "meter_before";
  readonly anchor: "start" | "notification";
  readonly window_start: string;
  readonly window_end: string;
  readonly cells_expected: number;
  readonly cells_used: number;
  readonly mean_kw: number | null;
  readonly instead_of?: Explained;
  readonly because?: string;
}

interface FlatExplained {
  readonly kind: "flat";
  readonly kw: number;
}

interface LevelExplained {
  readonly kind: "firm_service_level";
  readonly level_kw: number;
  readonly reference_kw: number | null;
}

const kinds: readonly unknown[] = ["days", "meter_before", "flat", "firm_service_level"];

/** null for a kind that these pages do not know yet. */
export const explainedOf = (explanation: SitePerformanceDetail["explanation"]): Explained | null =>
  kinds.includes(explanation["kind"]) ? (explanation as unknown as Explained) : null;
