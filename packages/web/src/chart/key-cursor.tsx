import { say } from "@curtail/words/page";
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef } from "react";
import type uPlot from "uplot";
import { type CursorStore, useCursor } from "./cursor.js";
import type { PowerChartProps } from "./curve.js";
import { OUTSIDE } from "./fingers.js";
import { chartKey, movedIndex } from "./keys.js";
import { readingAt, readingWords } from "./reading.js";
import { scaled, type TimeRange } from "./zoom.js";

/**
 * Makes the values of a chart readable by keyboard. It is a slider over time, so that screen readers pass arrow keys on
 * and announce its time; the values follow politely.
 */
export const KeyCursor = ({
  chart,
  hidden,
  store,
  plotRef,
  canReset,
  onZoom,
}: {
  readonly chart: PowerChartProps;
  readonly hidden: ReadonlySet<string>;
  readonly store: CursorStore;
  readonly plotRef: RefObject<uPlot | null>;
  readonly canReset: boolean;
  readonly onZoom: (range: TimeRange | null) => void;
}) => {
  const help = useId();
  const slider = useFocusAfterPointer();
  const cursor = useCursor(store);
  const reading = cursor === null ? null : readingAt(chart, cursor.index, hidden);
  const onKeyDown = (event: KeyboardEvent) => {
    const plot = plotRef.current;
    const key = chartKey(event);
    if (plot === null || key === null) return;
    // Escape that has nothing to do here closes the dialog around the chart.
    if (key.does === "leave" && !canReset && store.get() === null) return;
    event.preventDefault();
    event.stopPropagation();
    const { min = 0, max = 0 } = plot.scales["x"] ?? {};
    if (key.does === "zoom in" || key.does === "zoom out")
      onZoom(scaled({ min, max }, key.does === "zoom in" ? 0.5 : 2));
    else if (key.does === "leave") leave(plot, canReset, onZoom);
    else moveTo(plot, store.get()?.index ?? null, key.does === "move" ? key.by : key.does);
  };
  return (
    <>
      <div
        ref={slider}
        role="slider"
        tabIndex={0}
        aria-label={say("Time on the chart: {chart}", { chart: chart.label })}
        aria-describedby={help}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, chart.timestamps.length - 1)}
        aria-valuenow={cursor?.index ?? 0}
        aria-valuetext={reading?.time ?? say("no time chosen")}
        onKeyDown={onKeyDown}
        onBlur={() => store.get()?.by === "keyboard" && plotRef.current?.setCursor(OUTSIDE, true)}
        className="pointer-events-none absolute inset-0 rounded-lg focus-visible:-outline-offset-2"
      />
      <span id={help} className="sr-only">
        {say("Arrow keys move through the values, Page Up and Page Down by ten. Plus and minus zoom, Escape resets.")}
      </span>
      <span className="sr-only" aria-live="polite">
        {cursor?.by === "keyboard" && reading !== null ? readingWords(reading) : ""}
      </span>
    </>
  );
};

/** Keys work after a click or a drag, for example Escape. */
const useFocusAfterPointer = (): RefObject<HTMLDivElement | null> => {
  const slider = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = slider;
    const chart = current?.parentElement;
    const focus = ({ pointerType }: PointerEvent) => pointerType === "mouse" && current?.focus({ preventScroll: true });
    chart?.addEventListener("pointerup", focus);
    return () => chart?.removeEventListener("pointerup", focus);
  }, []);
  return slider;
};

const leave = (plot: uPlot, canReset: boolean, onZoom: (range: null) => void): void => {
  if (!canReset) plot.setCursor(OUTSIDE, true);
  else onZoom(null);
};

const moveTo = (plot: uPlot, from: number | null, to: number | "first" | "last"): void => {
  const [first, last] = plot.series[0]?.idxs ?? [0, 0];
  const index = to === "first" ? first : to === "last" ? last : movedIndex(from, to, [first, last]);
  const at = plot.data[0][index];
  if (at === undefined) return;
  // The event of the last pointer would make this a movement of the pointer.
  Object.assign(plot.cursor, { event: undefined });
  plot.setCursor({ left: plot.valToPos(at, "x"), top: plot.over.clientHeight / 3 }, true);
};
