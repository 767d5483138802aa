import { say } from "@curtail/words/page";
import { useMemo, useRef, useState } from "react";
import type uPlot from "uplot";
import type { Annotations } from "./annotations.js";
import { Canvas } from "./canvas.js";
import { ChartRows, ChartTable } from "./chart-table.js";
import { newCursorStore } from "./cursor.js";
import { type PowerChartProps, secondsOf } from "./curve.js";
import { download } from "./download-values.js";
import { gapsOf } from "./gaps.js";
import { KeyCursor } from "./key-cursor.js";
import { Legend } from "./legend.js";
import { Notes } from "./notes.js";
import { Tooltip } from "./tooltip.js";
import { useHidden } from "./use-hidden.js";
import { overlapping, scaled, type TimeRange, within } from "./zoom.js";
import { ZoomBar } from "./zoom-bar.js";

/** Curves over time on a canvas, which is fast with 100,000 points, and the same values as a table. */
export const PowerChart = (props: PowerChartProps) => {
  const { timestamps, curves, timeZone } = props;
  const whole = { min: secondsOf(timestamps[0] ?? 0), max: secondsOf(timestamps.at(-1) ?? 0) };
  const { zoom, canReset, zoomTo } = useZoom(props, whole);
  const [hidden, toggle] = useHidden(curves);
  const [cursor] = useState(newCursorStore);
  const plotRef = useRef<uPlot | null>(null);
  const annotations = useAnnotations(props);
  const shared = { chart: props, hidden, plotRef };
  const { quiet } = props;
  const [hasTable, setTable] = useState(false);
  const menu = [
    { label: say("Zoom in"), run: () => zoomTo(scaled(zoom ?? whole, 0.5)) },
    { label: hasTable ? say("Hide the table") : say("Show as table"), run: () => setTable(!hasTable) },
    { label: say("Download CSV"), run: () => void download({ ...props, shown: zoom }) },
  ];
  return (
    <figure className="min-w-0">
      {quiet?.head(menu)}
      {timestamps.length > 2 && props.plain !== true && (quiet === undefined || zoom !== null) && (
        <ZoomBar shown={zoom} whole={whole} timeZone={timeZone} canReset={canReset} onZoom={zoomTo} />
      )}
      <div className="relative">
        <Canvas {...shared} annotations={annotations} cursor={cursor} zoom={zoom} onZoom={zoomTo} />
        {quiet?.over}
        <Tooltip chart={props} hidden={hidden} store={cursor} />
        <KeyCursor {...shared} store={cursor} canReset={canReset} onZoom={zoomTo} />
      </div>
      {quiet === undefined && <Legend curves={curves} hidden={hidden} onToggle={toggle} />}
      <Notes spans={annotations.spans} gaps={annotations.gaps} timeZone={timeZone} />
      {props.plain !== true && quiet === undefined && <ChartTable {...props} shown={zoom} />}
      {quiet !== undefined && hasTable && <ChartRows {...props} shown={zoom} />}
    </figure>
  );
};

/** The zoom of the chart itself, of where the page keeps it, or of a page that loads the selected period. */
const useZoom = ({ zoom: kept, onZoom, onZoomReset }: PowerChartProps, whole: TimeRange) => {
  const [own, setOwn] = useState<TimeRange | null>(null);
  const zoom = overlapping(kept === undefined ? own : kept.range, whole);
  const zoomTo = (range: TimeRange | null) => {
    const part = range === null ? null : within(range, whole);
    if (onZoom === undefined) (kept?.change ?? setOwn)(part);
    else if (part !== null) onZoom(new Date(part.min * 1000), new Date(part.max * 1000));
    else if (range === null) onZoomReset?.();
  };
  return { zoom, canReset: zoom !== null || onZoomReset !== undefined, zoomTo };
};

const useAnnotations = ({ timestamps, curves, marks = [], spans = [] }: PowerChartProps): Annotations => {
  const gaps = useMemo(
    () => curves.filter(({ measured }) => measured === true).flatMap(({ values }) => gapsOf(timestamps, values)),
    [timestamps, curves],
  );
  // Compared by content: most callers make new ones each time.
  const text = JSON.stringify({ marks, spans });
  return useMemo(() => ({ ...(JSON.parse(text) as Omit<Annotations, "gaps">), gaps }), [text, gaps]);
};
