import type { SitePerformanceDetail } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useMemo } from "react";
import type { Curve, Mark } from "../chart/curve.js";
import { PowerChart } from "../chart/power-chart.js";
import { useZoomInAddress } from "../chart/use-zoom-in-address.js";
import { dispatchedUntil, isDispatchedIn } from "../rules/judged.js";

type Cell = SitePerformanceDetail["curve"][number];

/** Members of the response that the chart uses. */
export type PerformanceCurves = Pick<
  SitePerformanceDetail,
  "curve" | "method" | "state" | "start_time" | "end_time" | "measured_until"
>;

/**
 * Load, baseline and target of a site around a dispatch; the band between baseline and target is the commitment. The
 * unadjusted baseline is hidden until its name in the legend is clicked.
 */
export const PerformanceChart = ({
  detail,
  timeZone,
  siteName,
  heightPx = 340,
}: {
  readonly detail: PerformanceCurves;
  readonly timeZone: string;
  readonly siteName: string;
  readonly heightPx?: number;
}) => {
  const { curve, method, state, start_time } = detail;
  const end = dispatchedUntil(detail);
  // Memoized, since a new array redraws the chart and a page may render every second.
  const timestamps = useMemo(() => curve.map(({ timestamp }) => timestamp), [curve]);
  const curves = useMemo(() => curvesOf(curve, method, [start_time, end]), [curve, method, start_time, end]);
  const hasTarget = curve.some(({ target_kw }) => target_kw !== null);
  return (
    <PowerChart
      label={say("Load of {site} around the dispatch", { site: siteName })}
      timestamps={timestamps}
      curves={curves}
      unit="kW"
      timeZone={timeZone}
      marks={marksOf(
        start_time,
        end,
        state === "cancelled" ? say("cancelled", {}, "dispatch") : say("end", {}, "noun"),
      )}
      heightPx={heightPx}
      fileName={siteName}
      zoom={useZoomInAddress()}
      {...(hasTarget ? { band: [BASELINE, TARGET] as const } : {})}
    />
  );
};

const [BASELINE, TARGET] = [say("Baseline"), say("Target")] as const;

const curvesOf = (
  cells: readonly Cell[],
  method: SitePerformanceDetail["method"],
  [start, end]: readonly [start: string, end: string | null],
): Curve[] => {
  // There is no commitment before and after the dispatch, so the band ends with it.
  const isCalled = isDispatchedIn(start, end);
  const of = (member: Exclude<keyof Cell, "timestamp" | "quality">) => cells.map((cell) => cell[member]);
  const isAdjusted = cells.some(({ baseline_kw, unadjusted_kw }) => baseline_kw !== unadjusted_kw);
  const level = method["kind"] === "firm_service_level" ? method["level_kw"] : null;
  return [
    { label: say("Load"), colour: "chart-1", values: of("load_kw"), quality: cells.map(qualityOf), measured: true },
    { label: BASELINE, colour: "chart-2", values: of("baseline_kw") },
    {
      label: TARGET,
      colour: "chart-3",
      values: cells.map((cell) => (isCalled(cell) ? cell.target_kw : null)),
      dashed: true,
    },
    ...(isAdjusted
      ? [
          {
            label: say("Unadjusted baseline"),
            colour: "chart-4",
            values: of("unadjusted_kw"),
            dashed: true,
            hidden: true,
          } as const,
        ]
      : []),
    ...(typeof level === "number"
      ? [{ label: say("Firm service level"), colour: "chart-5", values: cells.map(() => level), dashed: true } as const]
      : []),
  ];
};

/** A gap has its own mark; a measured value needs none. */
const qualityOf = ({ quality }: Cell): string | null =>
  quality === "late" ? say("late", {}, "reading") : quality === "corrected" ? say("corrected", {}, "reading") : null;

const marksOf = (start: string, end: string | null, endLabel: string): Mark[] => [
  { at: start, label: say("start", {}, "noun") },
  ...(end === null ? [] : [{ at: end, label: endLabel }]),
];
