import uPlot from "uplot";
import { resolved } from "./colours.js";
import { type Mark, type PowerChartProps, secondsOf } from "./curve.js";
import type { TimeRange } from "./zoom.js";

const HEIGHT_PX = 280;

/** Options for uPlot. A dragged period is reported; a double click reports null. */
export const optionsOf = (
  props: PowerChartProps,
  box: HTMLElement,
  onZoom: (range: TimeRange | null) => void,
): uPlot.Options => {
  const { curves, unit, timeZone, band, marks = [], heightPx = HEIGHT_PX } = props;
  const colour = (name: string) => resolved(name, box);
  const axis = { stroke: colour("muted"), grid: { stroke: colour("chart-grid"), width: 1 }, ticks: { show: false } };
  return {
    width: box.clientWidth,
    height: heightPx,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
    scales: { y: { range: (_, low, high) => aroundZero(low, high) } },
    axes: [
      { ...axis, values: clockTicks, space: 64 },
      { ...axis, size: 56, values: (_, ticks) => ticks.map((tick) => `${tick}`), label: unit, labelSize: 18 },
    ],
    series: [
      { label: "Time", value: "{D} {MMM} {YYYY}, {HH}:{mm}" },
      ...curves.map((curve) => ({
        label: curve.label,
        show: curve.hidden !== true,
        stroke: colour(curve.colour),
        width: 1.75,
        points: { show: false },
        ...(curve.dashed === true ? { dash: [6, 4] } : {}),
        value: (_: uPlot, value: number | null) => (value === null ? "–" : `${value.toFixed(1)} ${unit}`),
      })),
    ],
    bands: band === undefined ? [] : [{ series: indices(curves, band), fill: colour("chart-band") }],
    cursor: {
      drag: { x: true, y: false, setScale: false },
      points: { size: 6 },
      bind: { dblclick: () => () => (onZoom(null), null) },
    },
    hooks: {
      draw: [(plot) => drawMarks(plot, marks, colour("line-strong"), colour("muted"))],
      setSelect: [(plot) => chosenPeriod(plot, onZoom)],
    },
  };
};

const DAY_SECONDS = 86_400;

/**
 * Formats of ticks: minimum distance in seconds, then what is added at the start of a year, month, day …; 1: below.
 */
const clockTicks: uPlot.Axis.Values = [
  [DAY_SECONDS * 365, "{YYYY}", null, null, null, null, null, null, 1],
  [DAY_SECONDS * 28, "{MMM}", "\n{YYYY}", null, null, null, null, null, 1],
  [DAY_SECONDS, "{D} {MMM}", "\n{YYYY}", null, null, null, null, null, 1],
  [60, "{HH}:{mm}", "\n{D} {MMM} {YYYY}", null, "\n{D} {MMM}", null, null, null, 1],
  [1, "{HH}:{mm}:{ss}", "\n{D} {MMM} {YYYY}", null, "\n{D} {MMM}", null, null, null, 1],
];

/** The axis always includes zero, so that a load that fell by 5 % does not seem to fall to zero. */
const aroundZero = (low: number | null, high: number | null): [number, number] => {
  const [least, most] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
  const room = (most - least || 1) * 0.06;
  return [least === 0 ? 0 : least - room, most === 0 ? 0 : most + room];
};

const indices = (curves: PowerChartProps["curves"], [upper, lower]: readonly [string, string]): [number, number] => {
  const indexOf = (label: string) => curves.findIndex((curve) => curve.label === label) + 1;
  return [indexOf(upper), indexOf(lower)];
};

const chosenPeriod = (plot: uPlot, onZoom: (range: TimeRange) => void): void => {
  const { left, width } = plot.select;
  if (width < 4) return;
  onZoom({ min: plot.posToVal(left, "x"), max: plot.posToVal(left + width, "x") });
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
};

const drawMarks = (plot: uPlot, marks: readonly Mark[], line: string, text: string): void => {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = line;
  ctx.fillStyle = text;
  ctx.textAlign = "left";
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  for (const { at, label } of marks) {
    const x = Math.round(plot.valToPos(secondsOf(at), "x", true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText(label, x + 4 * devicePixelRatio, bbox.top + 12 * devicePixelRatio);
  }
  ctx.restore();
};
