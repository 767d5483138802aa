import type { operator } from "@curtail/contract";
import { INTERVAL_STEP_SECONDS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useMemo } from "react";
import { type CurveColour, curveColours } from "../../../chart/colours.js";
import type { Curve, PowerChartProps } from "../../../chart/curve.js";
import { PowerChart } from "../../../chart/power-chart.js";

type SiteEnergy = operator.SiteEnergy;
/** Further curves are hidden until they are chosen in the legend. */
const SHOWN_METERS = 5;

/** Power of a site and, if it has several, its meters; a dragged period is reported. */
export const EnergyChart = ({
  data,
  ...zooming
}: {
  readonly data: SiteEnergy;
} & Pick<PowerChartProps, "onZoom" | "onZoomReset">) => {
  const timestamps = useMemo(() => endsOf(data), [data]);
  const curves = useMemo(() => curvesOf(data), [data]);
  return (
    <PowerChart
      label={say("Power of {name}", { name: data.name })}
      timestamps={timestamps}
      curves={curves}
      unit="kW"
      timeZone={data.timezone}
      heightPx={380}
      fileName={data.name}
      {...zooming}
    />
  );
};

/** Ends of the intervals, in seconds. */
const endsOf = ({ start_time, interval_seconds, day_ends, site }: SiteEnergy): number[] =>
  day_ends === null
    ? site.power_kw.map((_, i) => Date.parse(start_time) / 1000 + (i + 1) * interval_seconds)
    : day_ends.map((end) => Date.parse(end) / 1000);

const curvesOf = ({ site, meters, interval_seconds }: SiteEnergy): Curve[] => [
  { label: say("Site"), colour: "chart-1", values: site.power_kw, measured: true },
  ...(meters.length < 2
    ? []
    : meters.map((meter, i) => ({
        label: meter.name === "Site" ? say("Site (meter)") : meter.name,
        colour: colourOf(i + 1),
        values: meter.power_kw,
        hidden: i >= SHOWN_METERS,
      }))),
  ...(interval_seconds === INTERVAL_STEP_SECONDS
    ? []
    : [
        { label: say("Maximum"), colour: "chart-4", values: site.max_kw, dashed: true, hidden: true } as const,
        { label: say("Minimum"), colour: "chart-6", values: site.min_kw, dashed: true, hidden: true } as const,
      ]),
];

const colourOf = (i: number): CurveColour => curveColours[i % curveColours.length] ?? "chart-1";
