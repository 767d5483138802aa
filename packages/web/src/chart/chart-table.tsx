import { say } from "@curtail/words/page";
import { useState } from "react";
import { tenths } from "../format/quantity.js";
import { cursorTime } from "../format/time.js";
import { type PowerChartProps, secondsOf } from "./curve.js";
import { DownloadValues } from "./download-values.js";
import { stepSeconds } from "./reading.js";
import type { TimeRange } from "./zoom.js";

const MAX_ROWS = 120;

type Shown = PowerChartProps & { readonly shown: TimeRange | null };

/** The values of a chart as a table, and as a file. */
export const ChartTable = (chart: Shown) => {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-2 px-4 pb-2">
      <details
        className={`py-2 text-sm ${open ? "w-full" : ""}`}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary className="w-fit text-muted">{say("Show as table")}</summary>
        {open && <ChartRows {...chart} />}
      </details>
      <DownloadValues {...chart} />
    </div>
  );
};

/** Evenly sampled if there are many; of a zoomed chart, those it shows. */
export const ChartRows = ({ label, timestamps, curves, unit, timeZone, shown }: Shown) => {
  const inView = timestamps.flatMap((at, index) => (isShown(secondsOf(at), shown) ? [index] : []));
  const every = Math.max(1, Math.ceil(inView.length / MAX_ROWS));
  const step = stepSeconds(timestamps);
  return (
    <div
      className="mt-2 max-h-72 overflow-auto"
      tabIndex={0}
      role="region"
      aria-label={say("{chart}, as a table", { chart: label })}
    >
      <table className="w-full text-right">
        <thead className="sticky top-0 bg-surface text-muted">
          <tr>
            <th scope="col" className="py-1 text-left font-medium">
              {say("Time")}
            </th>
            {curves.map((curve) => (
              <th key={curve.label} scope="col" className="px-2 py-1 font-medium">
                {curve.label} ({unit})
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {inView.map((i, row) =>
            row % every === 0 ? (
              <tr key={timestamps[i]}>
                <th scope="row" className="text-left font-normal">
                  {cursorTime(new Date(secondsOf(timestamps[i] ?? 0) * 1000), step, timeZone)}
                </th>
                {curves.map((curve) => (
                  <td key={curve.label} className="px-2">
                    {tenthsOrDash(curve.values[i])}
                    {(curve.quality?.[i] ?? null) !== null && (
                      <span className="ml-1 text-warn">{curve.quality?.[i]}</span>
                    )}
                  </td>
                ))}
              </tr>
            ) : null,
          )}
        </tbody>
      </table>
    </div>
  );
};

const isShown = (seconds: number, shown: TimeRange | null): boolean =>
  shown === null || (seconds >= shown.min && seconds <= shown.max);

const tenthsOrDash = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : tenths(value);
