/** Rows from `from` to before `to`. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
}

/** The window moves by so many rows, so that not every scrolled pixel renders. */
const STEP = 10;

interface View {
  /** From the top of the window of the browser to the top of the first row; negative once that is scrolled past. */
  readonly topPx: number;
  readonly viewPx: number;
  readonly rowPx: number;
}

/** The rows in view, with half a screen before and after them. */
export const windowOf = (rows: number, { topPx, viewPx, rowPx }: View): RowWindow => {
  const around = viewPx / 2;
  const stepped = (px: number, round: (steps: number) => number) => round(px / rowPx / STEP) * STEP;
  const from = Math.min(Math.max(0, stepped(-topPx - around, Math.floor)), Math.max(0, rows - STEP));
  return { from, to: Math.min(rows, Math.max(from + STEP, stepped(viewPx - topPx + around, Math.ceil))) };
};

/** Rows that are rendered, or a gap in place of so many. */
export type Segment = { readonly rows: RowWindow } | { readonly gap: number };

/** The rows of a window and one more, which has the focus, with gaps in place of all others. */
export const segmentsOf = (rows: number, { from, to }: RowWindow, kept: number | null): readonly Segment[] => {
  const shown = { from: Math.min(from, rows), to: Math.min(to, rows) };
  const other = kept === null || kept >= rows || (kept >= shown.from && kept < shown.to) ? null : kept;
  const windows = [shown, ...(other === null ? [] : [{ from: other, to: other + 1 }])].toSorted(
    (a, b) => a.from - b.from,
  );
  const segments: Segment[] = [];
  let next = 0;
  for (const window of windows) {
    if (window.from > next) segments.push({ gap: window.from - next });
    segments.push({ rows: window });
    next = window.to;
  }
  return next < rows ? [...segments, { gap: rows - next }] : segments;
};
