import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./chart.css";
import { ChartTable } from "./chart-table.js";
import { useTheme } from "./colours.js";
import { type PowerChartProps, secondsOf } from "./curve.js";
import { optionsOf } from "./options.js";

/** Curves over time on a canvas, which stays quick with a hundred thousand points; and the same as a table. */
export const PowerChart = (props: PowerChartProps) => (
  <figure className="min-w-0">
    <Canvas {...props} />
    <ChartTable {...props} />
  </figure>
);

const Canvas = (props: PowerChartProps) => {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const kind = kindOf(props, useTheme());
  const data = dataOf(props);

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const made = new uPlot(optionsOf(props, element), data, element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: made.height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
    // What makes another chart of it stands in `kind`; new values alone are given to the chart there is.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [kind]);

  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `data` is made of these two
  useEffect(() => plot.current?.setData(data), [props.timestamps, props.curves]);

  return <div ref={box} role="img" aria-label={summaryOf(props)} className="w-full" />;
};

const kindOf = ({ curves, unit, timeZone, band, marks, heightPx, onZoom }: PowerChartProps, theme: string): string => {
  const looks = curves.map(({ label, colour, dashed, hidden }) => [label, colour, dashed, hidden]);
  return JSON.stringify([looks, unit, timeZone, band, marks, heightPx, onZoom === undefined, theme]);
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
