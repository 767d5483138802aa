import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { type RowWindow, windowOf } from "./row-window.js";

/** So many rows are all rendered: a screen or two. */
export const ALL_UP_TO = 60;
const FIRST_ROWS = 30;
const FIRST_ROW_PX = 41;

interface InView {
  readonly window: RowWindow;
  /** Height of a row that is not rendered. */
  readonly rowPx: number;
}

/** Which rows of a table body are rendered: those in view, or all of a short table and on paper. */
export const useRowsInView = (body: RefObject<HTMLTableSectionElement | null>, rows: number): InView => {
  const isPrinting = useIsPrinting();
  const isWhole = isPrinting || rows <= ALL_UP_TO;
  const [window, setWindow] = useState<RowWindow>({ from: 0, to: FIRST_ROWS });
  const rowPx = useRowHeight(body, isWhole);
  useEffect(() => {
    if (isWhole) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      if (body.current === null) return;
      const view = { topPx: body.current.getBoundingClientRect().top, viewPx: innerHeight, rowPx };
      const next = windowOf(rows, view);
      setWindow((before) => (before.from === next.from && before.to === next.to ? before : next));
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    // Captured, as a part of the page may scroll.
    addEventListener("scroll", soon, { capture: true, passive: true });
    addEventListener("resize", soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", soon, { capture: true });
      removeEventListener("resize", soon);
    };
  }, [body, rows, rowPx, isWhole]);
  return { window: isWhole ? { from: 0, to: rows } : window, rowPx };
};

/** The mean height of the rows at their first sight, and after a change of the width: a gap that changes would jump. */
const useRowHeight = (body: RefObject<HTMLTableSectionElement | null>, isWhole: boolean): number => {
  const [rowPx, setRowPx] = useState(FIRST_ROW_PX);
  const widthPx = useRef(0);
  useLayoutEffect(() => {
    const table = body.current;
    if (table === null || isWhole) return;
    const measure = () => {
      const rows = [...table.rows].filter((row) => row.ariaRowIndex !== null);
      if (rows.length === 0 || widthPx.current === table.clientWidth) return;
      widthPx.current = table.clientWidth;
      setRowPx(rows.reduce((sum, row) => sum + row.offsetHeight, 0) / rows.length);
    };
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, [body, isWhole]);
  return rowPx;
};

let isBeforePrint = false;

/** On paper there is no scrolling: all rows are rendered before the browser lays out the page. */
const useIsPrinting = (): boolean =>
  useSyncExternalStore(whenPrinted, () => isBeforePrint || matchMedia("print").matches);

const whenPrinted = (tell: () => void): (() => void) => {
  const before = () => {
    isBeforePrint = true;
    tell();
  };
  const after = () => {
    isBeforePrint = false;
    tell();
  };
  const print = matchMedia("print");
  addEventListener("beforeprint", before);
  addEventListener("afterprint", after);
  print.addEventListener("change", tell);
  return () => {
    removeEventListener("beforeprint", before);
    removeEventListener("afterprint", after);
    print.removeEventListener("change", tell);
  };
};
