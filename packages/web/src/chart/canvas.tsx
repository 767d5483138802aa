import { type RefObject, useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./chart.css";
import type { Annotations } from "./annotations.js";
import { useTheme } from "./colours.js";
import type { CursorStore } from "./cursor.js";
import { type PowerChartProps, secondsOf } from "./curve.js";
import { followFingers } from "./fingers.js";
import { optionsOf } from "./options.js";
import { summaryOf } from "./summary.js";
import { followWheel } from "./wheel.js";
import type { TimeRange } from "./zoom.js";

interface Drawn {
  readonly chart: PowerChartProps;
  readonly annotations: Annotations;
  readonly hidden: ReadonlySet<string>;
  readonly zoom: TimeRange | null;
  readonly onZoom: (range: TimeRange | null) => void;
}

/** The curves on a canvas. */
export const Canvas = ({
  cursor,
  plotRef: plot,
  ...drawn
}: Drawn & { readonly cursor: CursorStore; readonly plotRef: RefObject<uPlot | null> }) => {
  const { chart, annotations, hidden, zoom } = drawn;
  const box = useRef<HTMLDivElement>(null);
  const kind = kindOf(chart, useTheme());
  // uPlot keeps its first options, so the callbacks read what is drawn now.
  const latest = useRef(drawn);
  useEffect(() => {
    latest.current = drawn;
  });

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const onZoom = (range: TimeRange | null) => latest.current.onZoom(range);
    const made = new uPlot(
      optionsOf(chart, element, {
        onZoom,
        onCursor: (moved) => cursor.set(cursorOf(moved)),
        annotations: () => latest.current.annotations,
      }),
      dataOf(chart),
      element,
    );
    const leaveFingers = followFingers(made, onZoom);
    const leaveWheel = followWheel(made, onZoom);
    show(made, latest.current);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: made.height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      leaveFingers();
      leaveWheel();
      made.destroy();
      plot.current = null;
      cursor.set(null);
    };
    // `kind` has what requires a new chart; new values alone update the existing one.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [kind]);

  useEffect(() => {
    if (plot.current !== null) show(plot.current, drawn);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what is drawn of `drawn`
  }, [chart.timestamps, chart.curves, annotations, hidden, zoom]);

  return <div ref={box} role="img" aria-label={summaryOf(chart)} className="w-full" />;
};

/** Updates the values and keeps the zoom. */
const show = (plot: uPlot, { chart, zoom, hidden }: Drawn): void => {
  plot.batch(() => {
    chart.curves.forEach(({ label }, index) => {
      const isShown = !hidden.has(label);
      if (plot.series[index + 1]?.show !== isShown) plot.setSeries(index + 1, { show: isShown });
    });
    plot.setData(dataOf(chart), zoom === null);
    if (zoom !== null) plot.setScale("x", zoom);
  });
};

const cursorOf = (plot: uPlot): ReturnType<CursorStore["get"]> => {
  const { idx, left = -1, top = -1, event } = plot.cursor;
  if (idx === null || idx === undefined || left < 0) return null;
  const { offsetLeft, offsetTop } = plot.over;
  // uPlot sets `event` for those of the pointer only.
  const by = event === undefined || event === null ? "keyboard" : "pointer";
  return { index: idx, left: offsetLeft + left, top: offsetTop + Math.max(0, top), by };
};

const kindOf = ({ curves, unit, timeZone, band, gap, heightPx }: PowerChartProps, theme: string): string => {
  const looks = curves.map(({ label, colour, dashed }) => [label, colour, dashed]);
  return JSON.stringify([looks, unit, timeZone, band, gap, heightPx, theme]);
};

const dataOf = ({ timestamps, curves }: PowerChartProps): uPlot.AlignedData => [
  timestamps.map(secondsOf),
  ...curves.map(({ values }) => values as (number | null)[]),
];
