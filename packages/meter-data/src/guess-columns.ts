import type { Findings } from "./findings.js";
import { matrixOf } from "./guess-matrix.js";
import { meterColumnsOf } from "./guess-meter.js";
import { type TimeColumns, timeColumnsOf } from "./guess-time-columns.js";
import { type ValueColumn, valueColumnsOf } from "./guess-value-columns.js";
import type { StatedMapping, TimeMapping } from "./mapping.js";
import type { Sample } from "./table-sample.js";

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

/** Finds what each column is; null without times or values. */
export const columnsOf = (sample: Sample, stated: StatedMapping, findings: Findings): Columns | null => {
  const time = stated.time?.columns === undefined ? timeColumnsOf(sample, findings) : statedTime(stated.time);
  if (time === null) return null;
  const nameColumn = stated.meter_name_column ?? null;
  const taken = [...time.columns, ...time.endColumns, ...time.others, ...(nameColumn === null ? [] : [nameColumn])];
  const meters = meterColumnsOf(sample, taken, stated, findings);
  const rest = [...taken, ...meters.meterColumns, ...(meters.qualityColumn === null ? [] : [meters.qualityColumn])];
  const matrix = stated.layout === "rows" ? null : matrixOf(sample, time, rest, stated, findings);
  const { values, unitColumn } =
    matrix === null
      ? valueColumnsOf(sample, rest, stated, findings)
      : { values: [matrix.value], unitColumn: matrix.unitColumn };
  if (values.length === 0) return null;
  const unknown = { meterNameColumn: null, secondsColumn: null, coverageColumn: null, documented: null };
  return { time, values, unitColumn, ...meters, ...unknown, matrix };
};

const statedTime = ({
  columns = [],
  end_columns: endColumns = [],
  range = false,
}: Partial<TimeMapping>): TimeColumns => ({
  columns,
  endColumns,
  range,
  others: [],
});
