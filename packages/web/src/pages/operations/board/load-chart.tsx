import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useMemo } from "react";
import type { Mark } from "../../../chart/curve.js";
import { PowerChart } from "../../../chart/power-chart.js";
import { OWN_ZONE } from "../../../format/time.js";

/** The load of all sites as a curve. */
export const LoadChart = ({
  load: { points },
  marks,
}: {
  readonly load: operator.PortfolioLoad;
  readonly marks: readonly Mark[];
}) => {
  const timestamps = useMemo(() => points.map(({ timestamp }) => timestamp), [points]);
  const curves = useMemo(
    () => [{ label: say("Load"), colour: "chart-1" as const, values: points.map(({ load_kw }) => load_kw) }],
    [points],
  );
  return (
    <PowerChart
      label={say("Load of all sites today")}
      timestamps={timestamps}
      curves={curves}
      unit="kW"
      timeZone={OWN_ZONE}
      marks={marks}
      heightPx={220}
    />
  );
};
