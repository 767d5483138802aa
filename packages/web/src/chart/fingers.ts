import type uPlot from "uplot";
import { pinched, type TimeRange } from "./zoom.js";

const LEAST_DRAG_PX = 12;

/** Where uPlot shows no cursor. */
export const OUTSIDE = { left: -10, top: -10 };

/**
 * A tap shows the values there; dragging one finger sideways selects a period, two fingers pinch. Vertical dragging scrolls the page:
 * `touch-action` in chart.css lets the browser take over. uPlot itself supports the mouse only.
 */
export const followFingers = (plot: uPlot, zoomTo: (range: TimeRange) => void): (() => void) => {
  const fingers = new Map<number, number>();
  let startX = 0;
  let held: readonly [number, number] | null = null;
  let pinchedTo: TimeRange | null = null;

  const placeOf = ({ clientX }: PointerEvent): number => clientX - plot.over.getBoundingClientRect().left;
  const valueAt = (x: number): number => plot.posToVal(x, "x");
  const forget = () => {
    fingers.clear();
    held = null;
    pinchedTo = null;
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  };
  const on = (
    type: "pointerdown" | "pointermove" | "pointerup" | "pointercancel",
    run: (event: PointerEvent) => void,
  ) => plot.over.addEventListener(type, (event) => event.pointerType === "touch" && run(event));

  plot.over.addEventListener("pointerdown", ({ pointerType }) => {
    plot.over.dataset["pointer"] = pointerType;
  });
  on("pointerdown", (event) => {
    const x = placeOf(event);
    if (fingers.size === 0) startX = x;
    fingers.set(event.pointerId, x);
    const [a, b] = fingers.values();
    if (fingers.size === 2 && a !== undefined && b !== undefined) {
      held = [valueAt(a), valueAt(b)];
      plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    }
  });
  on("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, placeOf(event));
    const [a = 0, b] = fingers.values();
    if (held !== null && b !== undefined) {
      pinchedTo = pinched(held, [a, b], plot.over.clientWidth);
      plot.setScale("x", pinchedTo);
    } else if (fingers.size === 1) {
      const { clientHeight: height } = plot.over;
      plot.setSelect({ left: Math.min(startX, a), top: 0, width: Math.abs(a - startX), height }, false);
    }
  });
  on("pointerup", (event) => {
    const x = fingers.get(event.pointerId);
    const isTap = pinchedTo === null && fingers.size === 1 && x !== undefined && Math.abs(x - startX) < LEAST_DRAG_PX;
    const [from, to] = [startX, x ?? startX].toSorted((a, b) => a - b);
    const chosen =
      pinchedTo ??
      (fingers.size === 1 && from !== undefined && to !== undefined && to - from >= LEAST_DRAG_PX
        ? { min: valueAt(from), max: valueAt(to) }
        : null);
    forget();
    if (chosen !== null) zoomTo(chosen);
    if (isTap) plot.setCursor({ left: x, top: event.clientY - plot.over.getBoundingClientRect().top }, true);
  });
  on("pointercancel", forget);
  // A mouse that leaves hides the values; a finger only touches something else.
  const elsewhere = (event: PointerEvent) => {
    const isHere = event.target instanceof Node && plot.over.contains(event.target);
    if (event.pointerType === "touch" && !isHere) plot.setCursor(OUTSIDE, true);
  };
  document.addEventListener("pointerdown", elsewhere);
  return () => document.removeEventListener("pointerdown", elsewhere);
};
