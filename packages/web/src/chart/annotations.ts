import type uPlot from "uplot";
import { type Mark, type Span, secondsOf } from "./curve.js";
import type { TimeRange } from "./zoom.js";

/** What is drawn with the curves. */
export interface Annotations {
  readonly marks: readonly Mark[];
  readonly spans: readonly Span[];
  readonly gaps: readonly TimeRange[];
}

export interface AnnotationColours {
  readonly line: string;
  readonly text: string;
  readonly span: string;
  readonly hatch: string;
}

/** Shades dispatches and hatches gaps, behind the curves. */
export const drawBehind = (plot: uPlot, { spans, gaps }: Annotations, colours: AnnotationColours): void => {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const fill = (min: number, max: number, style: string | CanvasPattern) => {
    const [from, to] = [plot.valToPos(min, "x", true), plot.valToPos(max, "x", true)];
    ctx.fillStyle = style;
    ctx.fillRect(from, bbox.top, Math.max(1, to - from), bbox.height);
  };
  for (const { start, end } of spans)
    fill(secondsOf(start), end === null ? (plot.scales["x"]?.max ?? 0) : secondsOf(end), colours.span);
  const hatch = gaps.length === 0 ? null : hatched(ctx, colours.hatch);
  if (hatch !== null) for (const { min, max } of gaps) fill(min, max, hatch);
  ctx.restore();
};

const HATCH_PX = 8;

/** Diagonal lines, which also those see who see no colours. */
const hatched = (within: CanvasRenderingContext2D, colour: string): CanvasPattern | null => {
  const tile = document.createElement("canvas");
  const size = Math.round(HATCH_PX * devicePixelRatio);
  tile.width = size;
  tile.height = size;
  const ctx = tile.getContext("2d");
  if (ctx === null) return null;
  ctx.strokeStyle = colour;
  ctx.globalAlpha = 0.55;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  for (const shift of [-size, 0, size]) {
    ctx.moveTo(shift, size);
    ctx.lineTo(shift + size, 0);
  }
  ctx.stroke();
  return within.createPattern(tile, "repeat");
};

/** Draws the edges and names of dispatches and marks over the curves. */
export const drawInFront = (plot: uPlot, { marks, spans }: Annotations, { line, text }: AnnotationColours): void => {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = line;
  ctx.fillStyle = text;
  ctx.textAlign = "left";
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  const edges = [
    ...marks.map(({ at, label }) => ({ at, label })),
    ...spans.flatMap(({ start, end, label }) => [
      { at: start, label },
      ...(end === null ? [] : [{ at: end, label: "" }]),
    ]),
  ];
  let free = bbox.left;
  for (const { at, label } of edges.toSorted((a, b) => secondsOf(a.at) - secondsOf(b.at))) {
    const x = Math.round(plot.valToPos(secondsOf(at), "x", true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (label === "") continue;
    const width = ctx.measureText(label).width + 8 * devicePixelRatio;
    const from = x + width > bbox.left + bbox.width ? x - width : x;
    // Names that would cover each other are left out; the words below the chart have all of them.
    if (from < free) continue;
    ctx.fillText(label, from + 4 * devicePixelRatio, bbox.top + 12 * devicePixelRatio);
    free = from + width;
  }
  ctx.restore();
};
