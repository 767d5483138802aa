import uPlot from "uplot";
import { count } from "../format/quantity.js";
import { type Annotations, drawBehind, drawInFront } from "./annotations.js";
import { resolved } from "./colours.js";
import { type PowerChartProps, QUIET_LEFT_PX, QUIET_RIGHT_PX } from "./curve.js";
import { tickWords } from "./ticks.js";
import type { TimeRange } from "./zoom.js";

const HEIGHT_PX = 280;

/** What the chart asks and reports while it is drawn. */
export interface ChartHooks {
  /** A dragged period; null after a double click. */
  readonly onZoom: (range: TimeRange | null) => void;
  /** The cursor moved, or left (null). */
  readonly onCursor: (plot: uPlot) => void;
  /** Read at each drawing, so that a moved end needs no new chart. */
  readonly annotations: () => Annotations;
}

/** Options for uPlot. */
export const optionsOf = (
  props: PowerChartProps,
  box: HTMLElement,
  { onZoom, onCursor, annotations }: ChartHooks,
): uPlot.Options => {
  const { curves, unit, timeZone, band, gap, quiet, heightPx = HEIGHT_PX } = props;
  const colours = {
    line: resolved("line-strong", box),
    text: resolved("muted", box),
    span: resolved("chart-span", box),
    hatch: resolved("line-strong", box),
  };
  const colour = (name: string) => resolved(name, box);
  const axis = { stroke: colour("muted"), grid: { stroke: colour("chart-grid"), width: 1 }, ticks: { show: false } };
  return {
    width: box.clientWidth,
    height: heightPx,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
    scales: { y: { range: (_, low, high) => aroundZero(low, high) } },
    ...(quiet === undefined ? {} : { padding: [12, QUIET_RIGHT_PX, 4, 0] as uPlot.Padding }),
    axes: [
      {
        ...axis,
        show: quiet === undefined,
        values: (_, ticks, _axis, _space, step) => tickWords(ticks, step, timeZone),
        space: roomOf,
      },
      quiet === undefined
        ? { ...axis, size: 56, values: (_, ticks) => ticks.map((tick) => `${tick}`), label: unit, labelSize: 18 }
        : { ...axis, size: QUIET_LEFT_PX, values: (_, ticks) => withUnitOnTop(ticks, unit) },
    ],
    legend: { show: false },
    series: [
      {},
      ...curves.map((curve) => ({
        label: curve.label,
        stroke: colour(curve.colour),
        width: 1.75,
        points: { show: false },
        ...(curve.dashed === true ? { dash: [6, 4] } : {}),
      })),
    ],
    bands: [
      ...(band === undefined ? [] : [{ series: indices(curves, band), fill: colour("chart-band") }]),
      ...(gap === undefined ? [] : [{ series: indices(curves, gap.between), fill: colour(gap.colour) }]),
    ],
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: 6 },
      bind: {
        dblclick: () => () => (onZoom(null), null),
        // After a tap, browsers report that the mouse they made up has left.
        mouseleave: (_, over, handler) => (event) => (isTouched(over) ? null : handler(event)),
      },
    },
    hooks: {
      drawClear: [(plot) => drawBehind(plot, annotations(), colours)],
      draw: [(plot) => drawInFront(plot, annotations(), colours)],
      setCursor: [onCursor],
      setSelect: [(plot) => chosenPeriod(plot, onZoom)],
    },
  };
};

const THREE_DAYS = 3 * 86_400;

/** Clocks need less room than days. */
const roomOf = (_: uPlot, _axis: number, min: number, max: number): number => (max - min > THREE_DAYS ? 96 : 76);

/** The axis always includes zero, so that a load that fell by 5 % does not seem to fall to zero. */
const aroundZero = (low: number | null, high: number | null): [number, number] => {
  const [least, most] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
  const room = (most - least || 1) * 0.06;
  return [least === 0 ? 0 : least - room, most === 0 ? 0 : most + room];
};

/** The unit once, at the top label of the axis. */
const withUnitOnTop = (ticks: readonly number[], unit: string): string[] =>
  ticks.map((tick, index) => `${count(tick)}${index === ticks.length - 1 ? ` ${unit}` : ""}`);

const indices = (curves: PowerChartProps["curves"], [upper, lower]: readonly [string, string]): [number, number] => {
  const indexOf = (label: string) => curves.findIndex((curve) => curve.label === label) + 1;
  return [indexOf(upper), indexOf(lower)];
};

const isTouched = (over: HTMLElement): boolean => over.dataset["pointer"] === "touch";

const chosenPeriod = (plot: uPlot, onZoom: (range: TimeRange) => void): void => {
  const { left, width } = plot.select;
  if (width < 4) return;
  onZoom({ min: plot.posToVal(left, "x"), max: plot.posToVal(left + width, "x") });
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
};
