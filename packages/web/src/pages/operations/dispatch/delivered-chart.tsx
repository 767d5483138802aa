import type { operator } from "@curtail/contract";
import { useMemo } from "react";
import type { Curve, PowerChartProps } from "../../../chart/curve.js";
import { PowerChart } from "../../../chart/power-chart.js";
import { aroundDispatch, dispatchedUntil, isDispatchedIn } from "../../../rules/judged.js";

export type View = "delivered" | "load";

/** What all sites deliver against their commitment, or their load and baseline. */
export const DeliveredChart = ({
  curve: report,
  view,
  timeZone,
  committedKw,
  heightPx = 340,
  zoom,
}: {
  readonly curve: operator.PortfolioCurve;
  readonly view: View;
  readonly timeZone: string;
  /** Commitment of all sites, measured or not. */
  readonly committedKw: number;
  readonly heightPx?: number;
  /** Kept in the address; default: by the chart itself. */
  readonly zoom?: PowerChartProps["zoom"];
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
      heightPx={heightPx}
      {...(zoom === undefined ? {} : { zoom })}
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
