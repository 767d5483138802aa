import type { Key, ReactNode } from "react";

interface ReportColumn<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Right-aligned. */
  readonly number?: boolean;
}

/** A table that repeats its head on each page and never cuts a row. */
export const ReportTable = <Row,>({
  label,
  rows,
  keyOf,
  columns,
}: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => Key;
  readonly columns: readonly ReportColumn<Row>[];
}) => (
  // Focusable, so that the keyboard can scroll it.
  <div className="overflow-x-auto print:overflow-visible" role="region" aria-label={label} tabIndex={0}>
    <table className="w-full border-collapse text-xs xl:text-sm print:text-[8.5pt]">
      <thead className="print:table-header-group">
        <tr className="border-b border-line-strong text-left align-bottom">
          {columns.map(({ head, number = false }) => (
            <th
              key={head}
              scope="col"
              className={`py-1 pr-3 font-medium last:pr-0 print:pr-2 ${number ? "text-right" : ""}`}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className="break-inside-avoid border-b border-line align-top">
            {columns.map(({ head, cell, number = false }) => (
              <td
                key={head}
                className={`py-1 pr-3 [overflow-wrap:anywhere] last:pr-0 print:pr-2 ${number ? "text-right whitespace-nowrap" : "min-w-20 print:min-w-[17mm]"}`}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
