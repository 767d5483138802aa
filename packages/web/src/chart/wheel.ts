import type uPlot from "uplot";
import { scaledAt, type TimeRange } from "./zoom.js";

/** How long the wheel rests before the zoom counts. */
const REST_MS = 180;
const PER_PIXEL = 0.0025;

/**
 * Zooms around the pointer by the wheel with Ctrl or ⌘, which is also how browsers report a pinch on a touchpad. Alone
 * the wheel scrolls the page.
 */
export const followWheel = (plot: uPlot, zoomTo: (range: TimeRange) => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  plot.over.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { min, max } = plot.scales["x"] ?? {};
      if (min === undefined || max === undefined) return;
      const at = plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x");
      const range = scaledAt({ min, max }, at, Math.exp(event.deltaY * PER_PIXEL));
      plot.setScale("x", range);
      clearTimeout(timer);
      timer = setTimeout(() => zoomTo(range), REST_MS);
    },
    { passive: false },
  );
  return () => clearTimeout(timer);
};
