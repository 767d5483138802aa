import { say } from "@curtail/words/page";
import { useMemo } from "react";
import { useOperator } from "../../../api/use-call.js";
import type { Curve } from "../../../chart/curve.js";
import { PowerChart } from "../../../chart/power-chart.js";
import { aroundDispatch, dispatchedUntil, isDispatchedIn } from "../../../rules/judged.js";

const EVERY_MS = 30_000;
const HEIGHT_PX = 330;

/** What the dispatch has delivered so far. Without numbers yet, or without the service, there is none. */
export const WallCurve = ({
  id,
  timeZone,
  committedKw,
}: {
  readonly id: string;
  readonly timeZone: string;
  readonly committedKw: number;
}) => {
  const { data } = useOperator(
    "/dispatches/{id}/performance/curve",
    { params: { id }, query: {} },
    { everyMs: EVERY_MS },
  );
  const drawn = useMemo(() => {
    if (data === undefined) return null;
    const end = dispatchedUntil(data);
    const cells = aroundDispatch(data.curve, data.start_time, end);
    const isCalled = isDispatchedIn(data.start_time, end);
    const during = (value: (cell: (typeof cells)[number]) => number | null) =>
      cells.map((cell) => (isCalled(cell) ? value(cell) : null));
    const curves: Curve[] = [
      { label: say("Delivered"), colour: "chart-1", values: during(({ reduction_kw }) => reduction_kw) },
      { label: say("Committed"), colour: "chart-3", dashed: true, values: during(() => committedKw) },
    ];
    return { timestamps: cells.map(({ timestamp }) => timestamp), curves };
  }, [data, committedKw]);
  if (drawn === null) return null;
  return (
    <div className="overflow-hidden rounded-2xl bg-surface pt-3 ring-1 ring-line">
      <PowerChart
        plain
        label={say("Delivered and committed power of all sites")}
        timestamps={drawn.timestamps}
        curves={drawn.curves}
        unit="kW"
        timeZone={timeZone}
        heightPx={HEIGHT_PX}
      />
    </div>
  );
};
