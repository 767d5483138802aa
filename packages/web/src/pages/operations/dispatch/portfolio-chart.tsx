import type { operator } from "@curtail/contract";
import { useMemo, useState } from "react";
import { useOperator } from "../../../api/use-call.js";
import type { Curve } from "../../../chart/curve.js";
import { PowerChart } from "../../../chart/power-chart.js";
import { useZoomInAddress } from "../../../chart/use-zoom-in-address.js";
import { aroundDispatch, dispatchedUntil, isDispatchedIn } from "../../../rules/judged.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Answered } from "../../../ui/state.js";

/** A dispatch and a version of its results. */
export interface ShownResult {
  readonly id: string;
  readonly timeZone: string;
  readonly version?: number;
}

type View = "delivered" | "load";

/** Reduction of all sites together over time. */
export const PortfolioChart = ({
  id,
  timeZone,
  version,
  committedKw,
}: ShownResult & { readonly committedKw: number }) => {
  const [view, setView] = useState<View>("delivered");
  const query = version === undefined ? {} : { version };
  const choice = (of: View, label: string) => (
    <Button look={view === of ? "primary" : "plain"} aria-pressed={view === of} onClick={() => setView(of)}>
      {label}
    </Button>
  );
  return (
    <Card
      title="All sites"
      flush
      actions={
        <>
          {choice("delivered", "Delivered")}
          {choice("load", "Load and baseline")}
        </>
      }
    >
      <p className="px-4 pb-1 text-sm text-muted">Times are in {timeZone}.</p>
      <Answered of={useOperator("/dispatches/{id}/performance/curve", { params: { id }, query })}>
        {(curve) => <Chart curve={curve} view={view} timeZone={timeZone} committedKw={committedKw} />}
      </Answered>
    </Card>
  );
};

const Chart = ({
  curve: report,
  view,
  timeZone,
  committedKw,
}: {
  readonly curve: operator.PortfolioCurve;
  readonly view: View;
  readonly timeZone: string;
  /** Commitment of all sites, measured or not. */
  readonly committedKw: number;
}) => {
  const { curve, state, start_time } = report;
  const end_time = dispatchedUntil(report);
  const cells = useMemo(
    () => (view === "load" ? curve : aroundDispatch(curve, start_time, end_time)),
    [curve, view, start_time, end_time],
  );
  const timestamps = useMemo(() => cells.map(({ timestamp }) => timestamp), [cells]);
  const curves = useMemo(
    () =>
      view === "load" ? loadCurves(cells) : deliveredCurves(cells, isDispatchedIn(start_time, end_time), committedKw),
    [cells, view, start_time, end_time, committedKw],
  );
  return (
    <PowerChart
      label={view === "load" ? "Load and baseline of all sites" : "Delivered and committed power of all sites"}
      timestamps={timestamps}
      curves={curves}
      unit="kW"
      timeZone={timeZone}
      heightPx={340}
      zoom={useZoomInAddress()}
      marks={[
        { at: start_time, label: "start" },
        ...(end_time === null ? [] : [{ at: end_time, label: state === "cancelled" ? "cancelled" : "end" }]),
      ]}
      {...(view === "load" ? { band: ["Baseline", "Target"] as const } : {})}
    />
  );
};

type Cell = operator.PortfolioCurve["curve"][number];

const loadCurves = (cells: readonly Cell[]): Curve[] => [
  { label: "Load", colour: "chart-1", values: cells.map(({ load_kw }) => load_kw), measured: true },
  { label: "Baseline", colour: "chart-2", values: cells.map(({ baseline_kw }) => baseline_kw) },
  { label: "Target", colour: "chart-3", values: cells.map(({ target_kw }) => target_kw), dashed: true },
];

const deliveredCurves = (cells: readonly Cell[], isCalled: (cell: Cell) => boolean, committedKw: number): Curve[] => [
  {
    label: "Delivered",
    colour: "chart-1",
    values: cells.map((cell) => (isCalled(cell) ? cell.reduction_kw : null)),
  },
  {
    label: "Committed",
    colour: "chart-3",
    dashed: true,
    values: cells.map((cell) => (isCalled(cell) ? committedKw : null)),
  },
];
