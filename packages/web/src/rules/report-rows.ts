import type { PerformanceReportRow } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { byName } from "../format/name-order.js";

/** What the table shows of a row; operators' rows have more. */
export type ReportRow = PerformanceReportRow & {
  readonly accuracy_days?: number | null;
  readonly relative_rmse?: number | null;
  readonly relative_bias?: number | null;
};

/** A column that can be sorted by: a number of a row, or its name. */
export type ReportSortedBy =
  | "name"
  | {
      [Name in keyof ReportRow]-?: Exclude<ReportRow[Name], null | undefined> extends number ? Name : never;
    }[keyof ReportRow];

/** Name of what the row is about, or its id. */
export const rowName = (row: ReportRow): string =>
  row.site_name ??
  row.program_name ??
  row.account_name ??
  row.site_id ??
  row.program_id ??
  row.account_id ??
  say("All");

/** A sorting of the address: `performance`, or `-performance` for the highest first. */
export interface ReportSorting {
  readonly by: ReportSortedBy;
  readonly descending: boolean;
}

export const sortingOf = (text: string | undefined, known: readonly ReportSortedBy[]): ReportSorting => {
  const descending = text?.startsWith("-") === true;
  const name = descending ? text?.slice(1) : text;
  const by = known.find((each) => each === name);
  return by === undefined ? { by: "name", descending: false } : { by, descending };
};

/** What a click on a column's head changes the sorting to: numbers begin with the highest. */
export const nextSorting = (by: ReportSortedBy, now: ReportSorting): string => {
  const isDescending = now.by === by ? !now.descending : by !== "name";
  return isDescending ? `-${by}` : by;
};

/** Unknown values last, whichever way. */
export const sortedRows = (rows: readonly ReportRow[], { by, descending }: ReportSorting): ReportRow[] => {
  const sign = descending ? -1 : 1;
  if (by === "name") return rows.toSorted((a, b) => sign * byName(rowName(a), rowName(b)));
  return rows.toSorted((a, b) => {
    const [one, other] = [a[by] ?? null, b[by] ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  });
};

/** The calls that are in no figure: `2 cancelled, 1 not final`; empty without any. */
export const leftOutWords = (row: ReportRow): string =>
  [
    ...(row.without_baseline > 0 ? [say("{n} without baseline", { n: row.without_baseline })] : []),
    ...(row.cancelled > 0 ? [say("{n} cancelled", { n: row.cancelled })] : []),
    ...(row.voided > 0 ? [say("{n} voided", { n: row.voided })] : []),
    ...(row.not_final > 0 ? [say("{n} not final", { n: row.not_final })] : []),
  ].join(", ");
