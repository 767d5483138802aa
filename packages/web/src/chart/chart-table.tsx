import { useState } from "react";
import { dayAndClock } from "../format/time.js";
import { type PowerChartProps, secondsOf } from "./curve.js";

const MAX_ROWS = 120;

/** The values of a chart as a table; evenly sampled if there are many. */
export const ChartTable = ({ label, timestamps, curves, unit, timeZone }: PowerChartProps) => {
  const [open, setOpen] = useState(false);
  const step = Math.max(1, Math.ceil(timestamps.length / MAX_ROWS));
  return (
    <details className="px-4 pb-3 text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit text-muted">Show as table</summary>
      {open && (
        <div className="mt-2 max-h-72 overflow-auto" tabIndex={0} role="region" aria-label={`${label}, as a table`}>
          <table className="w-full text-right">
            <thead className="sticky top-0 bg-surface text-muted">
              <tr>
                <th scope="col" className="py-1 text-left font-medium">
                  Time
                </th>
                {curves.map((curve) => (
                  <th key={curve.label} scope="col" className="px-2 py-1 font-medium">
                    {curve.label} ({unit})
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {timestamps.map((at, i) =>
                i % step === 0 ? (
                  <tr key={at}>
                    <th scope="row" className="text-left font-normal">
                      {dayAndClock(new Date(secondsOf(at) * 1000), timeZone)}
                    </th>
                    {curves.map((curve) => (
                      <td key={curve.label} className="px-2">
                        {curve.values[i]?.toFixed(1) ?? "–"}
                      </td>
                    ))}
                  </tr>
                ) : null,
              )}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
};
