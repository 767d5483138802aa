import type { TimeColumns } from "./guess-time.js";
import type { ValueColumn } from "./guess-values.js";

/** Columns of a table, before their cells are looked at closely. */
export interface Columns {
  readonly time: TimeColumns;
  readonly values: readonly ValueColumn[];
  readonly unitColumn: number | null;
  readonly meterColumns: readonly number[];
  readonly meterNameColumn: number | null;
  readonly secondsColumn: number | null;
  readonly coverageColumn: number | null;
  readonly qualityColumn: number | null;
  /** What the header says by itself, if it is that of Curtail's own files. */
  readonly documented: { readonly label: "start" | "end"; readonly isUtc: boolean } | null;
  readonly matrix: { readonly first: number; readonly columns: number; readonly extraFrom: number | null } | null;
}
