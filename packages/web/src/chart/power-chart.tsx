import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./chart.css";
import { ChartTable } from "./chart-table.js";
import { useTheme } from "./colours.js";
import { type PowerChartProps, secondsOf } from "./curve.js";
import { followFingers } from "./fingers.js";
import { optionsOf } from "./options.js";
import { type TimeRange, within } from "./zoom.js";
import { ZoomBar } from "./zoom-bar.js";

/** Curves over time on a canvas, which is fast with 100,000 points, and the same values as a table. */
export const PowerChart = (props: PowerChartProps) => {
  const [zoom, setZoom] = useState<TimeRange | null>(null);
  const { timestamps, timeZone, onZoom } = props;
  const whole = { min: secondsOf(timestamps[0] ?? 0), max: secondsOf(timestamps.at(-1) ?? 0) };
  const zoomTo = (range: TimeRange | null) => {
    const part = range === null ? null : within(range, whole);
    if (onZoom === undefined) setZoom(part);
    else if (part !== null) onZoom(new Date(part.min * 1000), new Date(part.max * 1000));
  };
  return (
    <figure className="min-w-0">
      {timestamps.length > 2 && <ZoomBar shown={zoom} whole={whole} timeZone={timeZone} onZoom={zoomTo} />}
      <Canvas chart={props} zoom={zoom} onZoom={zoomTo} />
      <ChartTable {...props} />
    </figure>
  );
};

const Canvas = ({
  chart,
  zoom,
  onZoom,
}: {
  readonly chart: PowerChartProps;
  readonly zoom: TimeRange | null;
  readonly onZoom: (range: TimeRange | null) => void;
}) => {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const kind = kindOf(chart, useTheme());
  const data = dataOf(chart);
  // uPlot keeps its first options, so the callback reads the current data when a range is selected.
  const latestZoom = useRef(onZoom);
  useEffect(() => {
    latestZoom.current = onZoom;
  });

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const zoomTo = (range: TimeRange | null) => latestZoom.current(range);
    const made = new uPlot(optionsOf(chart, element, zoomTo), data, element);
    followFingers(made, zoomTo);
    show(made, data, zoom);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: made.height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
    // `kind` has what requires a new chart; new values alone update the existing one.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [kind]);

  useEffect(() => {
    if (plot.current !== null) show(plot.current, data, zoom);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `data` is made of the first two
  }, [chart.timestamps, chart.curves, zoom]);

  return <div ref={box} role="img" aria-label={summaryOf(chart)} className="w-full" />;
};

/** Updates the values and keeps the zoom. */
const show = (plot: uPlot, data: uPlot.AlignedData, zoom: TimeRange | null): void => {
  plot.setData(data, zoom === null);
  if (zoom !== null) plot.setScale("x", zoom);
};

const kindOf = ({ curves, unit, timeZone, band, marks, heightPx }: PowerChartProps, theme: string): string => {
  const looks = curves.map(({ label, colour, dashed, hidden }) => [label, colour, dashed, hidden]);
  return JSON.stringify([looks, unit, timeZone, band, marks, heightPx, theme]);
};

const dataOf = ({ timestamps, curves }: PowerChartProps): uPlot.AlignedData => [
  timestamps.map(secondsOf),
  ...curves.map(({ values }) => values as (number | null)[]),
];

const summaryOf = ({ label, curves, unit }: PowerChartProps): string => {
  const parts = curves.map((curve) => {
    const present = curve.values.filter((value) => value !== null);
    if (present.length === 0) return `${curve.label}: no data`;
    const [least, most] = present.reduce(
      ([low, high], v) => [Math.min(low, v), Math.max(high, v)],
      [Infinity, -Infinity],
    );
    return `${curve.label}: ${least.toFixed(1)} to ${most.toFixed(1)} ${unit}, last ${present.at(-1)?.toFixed(1)}`;
  });
  return `${label}. ${parts.join("; ")}.`;
};
