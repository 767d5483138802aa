import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { lazy, Suspense, useMemo } from "react";
import { useOperator } from "../../../api/use-call.js";
import { OWN_ZONE } from "../../../format/time.js";
import { dayStart } from "../../../rules/today.js";
import { Card } from "../../../ui/card.js";
import { Answered, Waiting } from "../../../ui/state.js";
import { useNow } from "../../../ui/use-now.js";

const EVERY_MS = 30_000;
const Chart = lazy(async () => ({ default: (await import("./load-chart.js")).LoadChart }));

interface Reporting {
  /** Whether meters report now. */
  readonly isReporting: boolean;
}

/** Today's load of all sites, with the dispatches marked on it. */
export const LoadToday = ({ isReporting }: Reporting) => {
  const start = dayStart(useNow()).toISOString();
  const load = useOperator("/load", { query: { start } }, { everyMs: EVERY_MS, keep: true });
  return (
    <Card title={say("Load today")} flush>
      <p className="px-4 pb-1 text-sm text-muted">
        {say("All meters together, in intervals of 5 minutes. Times are in {zone}.", { zone: OWN_ZONE })}
      </p>
      {/* As high as the chart, so that nothing moves when it comes. */}
      <div className="min-h-72">
        <Answered of={load}>
          {(data) => (
            <Suspense fallback={<Waiting />}>
              <Drawn load={data} isReporting={isReporting} />
            </Suspense>
          )}
        </Answered>
      </div>
    </Card>
  );
};

const Drawn = ({ load, isReporting }: Reporting & { readonly load: operator.PortfolioLoad }) => {
  const marks = useMemo(
    () =>
      load.dispatches.flatMap(({ program_name, test, start_time, end_time }) => [
        { at: start_time, label: test ? say("{program} (test)", { program: program_name }) : program_name },
        ...(end_time === null ? [] : [{ at: end_time, label: say("end", {}, "noun") }]),
      ]),
    [load.dispatches],
  );
  if (load.points.every(({ load_kw }) => load_kw === null))
    return (
      <p className="px-4 py-10 text-center text-muted">
        {isReporting
          ? say("Readings arrive. The curve begins after an interval of 5 minutes.")
          : say("No readings today.")}
      </p>
    );
  return <Chart load={load} marks={marks} />;
};
