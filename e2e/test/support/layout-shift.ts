import type { Page } from "playwright-core";

/** A part of a page that moved by itself while it was read. */
export interface Shift {
  readonly value: number;
  /** What moved, by its text. */
  readonly moved: readonly string[];
}

const observe = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries())
      if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node, previousRect: from, currentRect: to }) =>
        (node?.className ?? "") + ": " + (node?.textContent ?? "").slice(0, 60) + " " + Math.round(from.y) + " → " + Math.round(to.y)) });
  }).observe({ type: "layout-shift", buffered: true });
`;

/** Notes what moves from the next page on. */
export const noteShifts = (page: Page): Promise<unknown> => page.addInitScript(observe);

export const shiftsOf = (page: Page): Promise<readonly Shift[]> => page.evaluate<readonly Shift[]>("window.shifts");
