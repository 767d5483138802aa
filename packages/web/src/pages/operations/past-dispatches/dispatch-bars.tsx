import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
import { percent, power } from "../../../format/quantity.js";
import { dayAndClock } from "../../../format/time.js";
import { highestKw } from "../../../rules/dispatch-result.js";
import { axisTicks } from "../../../rules/interval-table.js";
import { usePageZone } from "../../../ui/page-zone.js";

type Result = operator.DispatchResult;

/** One bar per dispatch: filled as far as was delivered, with a mark at the commitment. A click opens the dispatch. */
export const DispatchBars = ({ results }: { readonly results: readonly Result[] }) => {
  if (results.length === 0) return null;
  const ticks = axisTicks(0, highestKw(results));
  const topKw = ticks.at(-1) ?? 1;
  return (
    <>
      <div className="grid grid-cols-[auto_1fr] gap-x-2">
        <div aria-hidden="true" className="flex h-48 flex-col justify-between text-right text-xs text-muted">
          {ticks.toReversed().map((kw) => (
            <span key={kw}>{power(kw)}</span>
          ))}
        </div>
        <div className="min-w-0 overflow-x-auto" role="region" aria-label={say("Delivered and committed")} tabIndex={0}>
          <ol className="flex h-48 min-w-max items-stretch gap-1 border-y border-line">
            {results.map((result) => (
              <li key={result.dispatch_id} className="flex max-w-20 min-w-3 flex-1">
                <Bar result={result} topKw={topKw} />
              </li>
            ))}
          </ol>
        </div>
      </div>
      <div aria-hidden="true" className="mt-2 flex flex-wrap gap-x-5 text-sm text-muted">
        <Key className="h-3 w-3 bg-chart-1">{say("Delivered")}</Key>
        <Key className="h-0.5 w-4 bg-ink">{say("Committed")}</Key>
        <Key className="h-3 w-3 border border-dashed border-line-strong">{say("Not measured", {}, "dispatch")}</Key>
      </div>
    </>
  );
};

const Key = ({ className, children }: { readonly className: string; readonly children: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className={className} /> {children}
  </span>
);

const Bar = ({ result, topKw }: { readonly result: Result; readonly topKw: number }) => {
  const { dispatch_id, commitment_kw, mean_reduction_kw: deliveredKw } = result;
  const heightOf = (kw: number) => `${(Math.max(0, kw) / topKw) * 100}%`;
  const words = wordsOf(result, usePageZone());
  return (
    <Link
      to="/operations/dispatches/$id"
      params={{ id: dispatch_id }}
      // The table has the same links for the keyboard.
      tabIndex={-1}
      aria-label={words}
      title={words}
      className="relative w-full hover:bg-sunken"
    >
      <span
        className={`absolute inset-x-0.5 bottom-0 rounded-t-sm ${deliveredKw === null ? "border border-b-0 border-dashed border-line-strong" : "bg-chart-1"}`}
        style={{ height: heightOf(deliveredKw ?? commitment_kw) }}
      />
      <span className="absolute inset-x-0 h-0.5 bg-ink" style={{ bottom: heightOf(commitment_kw) }} />
    </Link>
  );
};

const wordsOf = ({ start_time, mean_reduction_kw, commitment_kw, performance }: Result, timeZone: string): string => {
  const when = dayAndClock(start_time, timeZone);
  return mean_reduction_kw === null
    ? say("{time}: not measured, {committed} committed", { time: when, committed: power(commitment_kw) })
    : say("{time}: {delivered} of {committed}, {performance}", {
        time: when,
        delivered: power(mean_reduction_kw),
        committed: power(commitment_kw),
        performance: percent(performance),
      });
};
