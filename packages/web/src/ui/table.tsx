import type { Key, ReactNode } from "react";
import { Button } from "./button.js";
import type { Listed } from "./listed.js";
import { Empty, Fault, Waiting } from "./state.js";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Right-aligned. */
  readonly number?: boolean;
  /** Hidden on phones; `desk`: on tablets, too. */
  readonly wide?: boolean | "desk";
  /** How the rows are sorted by this column, and what a click on its head does. */
  readonly sorted?: { readonly order: "ascending" | "descending" | "none"; readonly onSort: () => void };
}

interface Shown<Row> {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => Key;
  readonly empty: ReactNode;
  /** For many columns: small heads, narrow gaps. */
  readonly isCompact?: boolean;
}

const gaps = { wide: "px-2 sm:px-2.5 2xl:px-4", compact: "px-1.5 2xl:px-3" } as const;

export const Table = <Row,>({
  label,
  columns,
  keyOf,
  rows,
  empty,
  isCompact = false,
}: Shown<Row> & { readonly rows: readonly Row[] }) => {
  const gap = isCompact ? gaps.compact : gaps.wide;
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    // Focusable, so that the keyboard can scroll it.
    <div className="overflow-x-auto" role="region" aria-label={label} tabIndex={0}>
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line text-left text-muted">
            {columns.map((column) => (
              <th
                key={column.head}
                scope="col"
                aria-sort={column.sorted?.order}
                className={`${gap} py-2 first:pl-4 last:pr-4 font-medium align-bottom ${isCompact ? "text-xs 2xl:text-sm" : ""} ${placed(column)}`}
              >
                <Head of={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0 hover:bg-sunken/60">
              {columns.map((column) => (
                <td
                  key={column.head}
                  className={`${gap} py-2 first:pl-4 last:pr-4 align-top ${column.number === true ? "whitespace-nowrap" : ""} ${placed(column)}`}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const marks = { ascending: " ▲", descending: " ▼", none: "" } as const;

const Head = <Row,>({ of: { head, sorted } }: { readonly of: Column<Row> }) =>
  sorted === undefined ? (
    head
  ) : (
    <button type="button" className="min-h-6 [text-align:inherit] font-medium hover:text-ink" onClick={sorted.onSort}>
      {head}
      <span aria-hidden="true">{marks[sorted.order]}</span>
    </button>
  );

const placed = <Row,>({ number = false, wide = false }: Column<Row>): string =>
  `${number ? "text-right" : ""} ${wide === "desk" ? "max-xl:hidden" : wide ? "max-md:hidden" : ""}`;

/** A paged list of the service. */
export const ListTable = <Row,>({ list, ...shown }: Shown<Row> & { readonly list: Listed<Row> }) => {
  if (list.isPending) return <Waiting />;
  return (
    <>
      {list.error !== null && <Fault error={list.error} />}
      <Table {...shown} rows={list.items} />
      <ShowMore of={list} />
    </>
  );
};

/** Loads the next page of a list, while there is one. */
export const ShowMore = ({ of: { more, isLoadingMore } }: { readonly of: Listed<unknown> }) =>
  more !== null && (
    <div className="border-t border-line p-3 text-center">
      <Button onClick={more} busy={isLoadingMore && "Loading…"}>
        Show more
      </Button>
    </div>
  );
