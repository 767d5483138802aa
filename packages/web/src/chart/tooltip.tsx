import { useLayoutEffect, useRef } from "react";
import { type CursorStore, useCursor } from "./cursor.js";
import type { PowerChartProps } from "./curve.js";
import { Swatch } from "./legend.js";
import { beside } from "./place.js";
import { readingAt } from "./reading.js";

/** The values at the cursor, next to it. */
export const Tooltip = ({
  chart,
  hidden,
  store,
}: {
  readonly chart: PowerChartProps;
  readonly hidden: ReadonlySet<string>;
  readonly store: CursorStore;
}) => {
  const box = useRef<HTMLDivElement>(null);
  const cursor = useCursor(store);
  const reading = cursor === null ? null : readingAt(chart, cursor.index, hidden);
  useLayoutEffect(() => {
    const element = box.current;
    const room = element?.parentElement;
    if (element === null || cursor === null || room === null || room === undefined) return;
    const { left, top } = beside(
      cursor,
      { width: element.offsetWidth, height: element.offsetHeight },
      { width: room.clientWidth, height: room.clientHeight },
    );
    element.style.transform = `translate(${left}px, ${top}px)`;
  });
  if (reading === null) return null;
  return (
    <div
      ref={box}
      aria-hidden="true"
      className="pointer-events-none absolute top-0 left-0 z-10 max-w-[calc(100%-0.5rem)] rounded-lg bg-surface px-3 py-2 text-sm shadow-lg ring-1 ring-line-strong"
    >
      <div data-chart-time className="font-medium whitespace-nowrap">
        {reading.time}
      </div>
      {reading.during.map((label) => (
        <div key={label} className="text-muted">
          {label}
        </div>
      ))}
      <table className="mt-1">
        <tbody>
          {reading.rows.map((row) => (
            <tr key={row.label}>
              <td className="pr-3">
                <span className="flex items-center gap-1.5">
                  <Swatch colour={row.colour} dashed={row.dashed} />
                  <span className="line-clamp-2 break-words">{row.label}</span>
                </span>
              </td>
              <td className="text-right align-top font-medium whitespace-nowrap">{row.value}</td>
              <td className="pl-2 align-top whitespace-nowrap text-warn">{row.note}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
