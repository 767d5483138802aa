import { say } from "@curtail/words/page";
import { type Key, type ReactNode, useRef, useState } from "react";
import { Button } from "./button.js";
import type { Listed } from "./listed.js";
import { segmentsOf } from "./row-window.js";
import { Block, Empty, Fault, Waiting } from "./state.js";
import { useFits } from "./use-fits.js";
import { ALL_UP_TO, useRowsInView } from "./use-rows-in-view.js";

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
  /** Rows of 33 px, whose cells are of one line: their height is known before they are drawn. */
  readonly isFixed?: boolean;
}

const gaps = { wide: "px-2 lg:px-2.5 2xl:px-4", compact: "px-1.5 2xl:px-3" } as const;

/** A table of all rows. Of a long one, those in view are in the page, and all of them on paper. */
export const Table = <Row,>(shown: Shown<Row> & { readonly rows: readonly Row[] }) => {
  const { label, rows, empty, isCompact = false } = shown;
  const gap = isCompact ? gaps.compact : gaps.wide;
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <>
      {rows.length > ALL_UP_TO && (
        <p className="px-4 pb-2 text-xs text-muted print:hidden">
          {say("The browser’s Find (Ctrl+F) sees only the rows in view. Scroll, sort or filter to reach the others.")}
        </p>
      )}
      <Scrolled label={label}>
        <table className="w-full border-collapse text-sm" aria-rowcount={rows.length + 1}>
          <Heads {...shown} gap={gap} />
          <Body {...shown} gap={gap} />
        </table>
      </Scrolled>
    </>
  );
};

/** Heads stay in view while the page scrolls, unless the table is wider than its place and scrolls by itself. */
const Scrolled = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => {
  const { ref, fits } = useFits();
  return (
    // Focusable, so that the keyboard can scroll it.
    <div
      ref={ref}
      className={fits ? "overflow-x-clip" : "overflow-x-auto"}
      data-fits={fits ? "" : undefined}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      {children}
    </div>
  );
};

const Heads = <Row,>({
  columns,
  isCompact = false,
  gap,
}: Pick<Shown<Row>, "columns" | "isCompact"> & { readonly gap: string }) => (
  <thead className="z-10 bg-surface shadow-[0_1px_0_var(--line)] in-data-fits:sticky in-data-fits:top-(--table-top,0px)">
    <tr aria-rowindex={1} className="text-left text-muted">
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
);

const WAITING_ROWS = [1, 2, 3, 4, 5];

/** The heads of a table, and rows of blocks as high as those to come. */
const WaitingTable = <Row,>({ columns, isCompact = false }: Pick<Shown<Row>, "columns" | "isCompact">) => {
  const gap = isCompact ? gaps.compact : gaps.wide;
  return (
    <div inert className="overflow-x-clip">
      <table className="w-full border-collapse text-sm">
        <Heads columns={columns} isCompact={isCompact} gap={gap} />
        <tbody>
          {WAITING_ROWS.map((row) => (
            <tr key={row} className="h-[41px] border-b border-line last:border-0">
              {columns.map((column) => (
                <td key={column.head} className={`${gap} first:pl-4 last:pr-4 ${placed(column)}`}>
                  <Block width={column.number === true ? "ml-auto w-12" : "w-24"} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Body = <Row,>({
  columns,
  keyOf,
  rows,
  gap,
  isFixed = false,
}: Shown<Row> & { readonly rows: readonly Row[]; readonly gap: string }) => {
  const body = useRef<HTMLTableSectionElement | null>(null);
  const { window, rowPx } = useRowsInView(body, rows.length);
  // Its row stays in the page, also once the focus has left the table, so that the keyboard goes on from where it was.
  const [focused, setFocused] = useState<Key | null>(null);
  const kept = focused === null ? -1 : rows.findIndex((row) => keyOf(row) === focused);
  return (
    <tbody ref={body}>
      {segmentsOf(rows.length, window, kept < 0 ? null : kept).flatMap((segment, place) =>
        "gap" in segment ? (
          // oxlint-disable-next-line react/no-array-index-key -- gaps have no identity
          <tr key={`gap ${place}`} aria-hidden="true" style={{ height: segment.gap * rowPx }} />
        ) : (
          rows.slice(segment.rows.from, segment.rows.to).map((row, index) => (
            <tr
              key={keyOf(row)}
              aria-rowindex={segment.rows.from + index + 2}
              onFocus={() => setFocused(keyOf(row))}
              className={`border-b border-line last:border-0 hover:bg-sunken/60 ${isFixed ? "h-[33px]" : ""}`}
            >
              {columns.map((column) => (
                <td
                  key={column.head}
                  className={`${gap} first:pl-4 last:pr-4 ${isFixed ? "h-[33px] py-0 whitespace-nowrap" : "py-2 align-top"} ${column.number === true ? "whitespace-nowrap" : ""} ${placed(column)}`}
                >
                  {column.number === true ? (
                    column.cell(row)
                  ) : (
                    <div className={textPlace(columns.indexOf(column))}>{column.cell(row)}</div>
                  )}
                </td>
              ))}
            </tr>
          ))
        ),
      )}
    </tbody>
  );
};

/** The longest name of 200 letters takes a part of the table, and wraps there. */
const textPlace = (column: number): string =>
  `break-words ${column === 0 ? "max-w-[min(28rem,38vw)]" : "max-w-[min(40rem,50vw)]"}`;

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
  if (list.isPending)
    return (
      <Waiting>
        <WaitingTable {...shown} />
      </Waiting>
    );
  return (
    <>
      {list.error !== null && <Fault error={list.error} onRetry={list.retry} />}
      <Table {...shown} rows={list.items} />
      <ShowMore of={list} />
    </>
  );
};

/** Loads the next page of a list, while there is one. */
export const ShowMore = ({ of: { more, isLoadingMore } }: { readonly of: Listed<unknown> }) =>
  more !== null && (
    <div className="border-t border-line p-3 text-center">
      <Button onClick={more} busy={isLoadingMore && say("Loading…")}>
        {say("Show more")}
      </Button>
    </div>
  );
