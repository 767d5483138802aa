import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useMemo } from "react";
import type { Curve, GapColour, PowerChartProps, QuietLook } from "../../../chart/curve.js";
import { PowerChart } from "../../../chart/power-chart.js";
import { aroundDispatch, dispatchedUntil, isDispatchedIn } from "../../../rules/judged.js";
import type { ReplaySpan } from "../../../rules/replay.js";

export type View = "delivered" | "load";

/** What all sites deliver against their commitment, or their load and baseline. */
export const DeliveredChart = ({
  curve: report,
  view,
  timeZone,
  committedKw,
  heightPx = 340,
  zoom,
  framed,
}: {
  readonly curve: operator.PortfolioCurve;
  readonly view: View;
  readonly timeZone: string;
  /** Commitment of all sites, measured or not. */
  readonly committedKw: number;
  readonly heightPx?: number;
  /** Kept in the address; default: by the chart itself. */
  readonly zoom?: PowerChartProps["zoom"];
  /** Over a time axis of the page, with what is lacking as an area. */
  readonly framed?: { readonly axis: ReplaySpan; readonly gap: GapColour; readonly quiet: QuietLook };
}) => {
  const { curve, state, start_time } = report;
  const end_time = dispatchedUntil(report);
  const cells = useMemo(
    () =>
      framed !== undefined
        ? curve.filter(({ timestamp }) => isBetween(timestamp, framed.axis))
        : view === "load"
          ? curve
          : aroundDispatch(curve, start_time, end_time),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the edges stand for the axis
    [curve, view, start_time, end_time, framed?.axis.fromMs, framed?.axis.toMs],
  );
  const { fromMs = null, toMs = null } = framed?.axis ?? {};
  const isFramed = framed !== undefined;
  const timestamps = useMemo(() => {
    const own = cells.map(({ timestamp }) => timestamp);
    return fromMs === null || toMs === null ? own : [iso(fromMs), ...own, iso(toMs)];
  }, [cells, fromMs, toMs]);
  const curves = useMemo(() => {
    const own =
      view === "load"
        ? loadCurves(cells)
        : deliveredCurves(cells, isDispatchedIn(start_time, end_time), { committedKw, isFramed });
    return isFramed ? own.map((curve) => ({ ...curve, values: [null, ...curve.values, null] })) : own;
  }, [cells, view, start_time, end_time, committedKw, isFramed]);
  return (
    <PowerChart
      label={
        view === "load" ? say("Load and baseline of all sites") : say("Delivered and committed power of all sites")
      }
      timestamps={timestamps}
      curves={curves}
      unit="kW"
      timeZone={timeZone}
      heightPx={heightPx}
      {...(zoom === undefined ? {} : { zoom })}
      marks={[
        { at: start_time, label: isFramed ? "" : say("start", {}, "noun") },
        ...(end_time === null
          ? []
          : [
              {
                at: end_time,
                label: isFramed
                  ? ""
                  : state === "cancelled"
                    ? say("cancelled", {}, "dispatch")
                    : say("end", {}, "noun"),
              },
            ]),
      ]}
      {...(view === "load" ? { band: [say("Baseline"), say("Target")] as const } : {})}
      {...(framed === undefined ? {} : { quiet: framed.quiet })}
      {...(framed === undefined || view === "load"
        ? {}
        : { gap: { between: [COMMITTED, DELIVERED], colour: framed.gap } })}
    />
  );
};

type Cell = operator.PortfolioCurve["curve"][number];

const loadCurves = (cells: readonly Cell[]): Curve[] => [
  { label: say("Load"), colour: "chart-1", values: cells.map(({ load_kw }) => load_kw), measured: true },
  { label: say("Baseline"), colour: "chart-2", values: cells.map(({ baseline_kw }) => baseline_kw) },
  { label: say("Target"), colour: "chart-3", values: cells.map(({ target_kw }) => target_kw), dashed: true },
];

const [DELIVERED, COMMITTED] = [say("Delivered"), say("Committed")] as const;

const deliveredCurves = (
  cells: readonly Cell[],
  isCalled: (cell: Cell) => boolean,
  { committedKw, isFramed }: { readonly committedKw: number; readonly isFramed: boolean },
): Curve[] => [
  {
    label: DELIVERED,
    colour: isFramed ? "ink" : "chart-1",
    values: cells.map((cell) => (isCalled(cell) ? cell.reduction_kw : null)),
  },
  {
    label: COMMITTED,
    colour: isFramed ? "muted" : "chart-3",
    dashed: true,
    values: cells.map((cell) => (isCalled(cell) ? committedKw : null)),
  },
];

const iso = (ms: number): string => new Date(ms).toISOString();

const isBetween = (timestamp: string, { fromMs, toMs }: ReplaySpan): boolean => {
  const ms = Date.parse(timestamp);
  return ms > fromMs && ms < toMs;
};
