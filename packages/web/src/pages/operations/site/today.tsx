import { useOperator } from "../../../api/use-call.js";
import { type CurveColour, curveColours } from "../../../chart/colours.js";
import { PowerChart } from "../../../chart/power-chart.js";
import { localDay, startOfDay } from "../../../format/local-time.js";
import { energy, percent, power } from "../../../format/quantity.js";
import { Card } from "../../../ui/card.js";
import { Answered, Empty } from "../../../ui/state.js";
import type { Site } from "./site-columns.js";

/** Power since midnight in the time zone of the site. */
export const Today = ({ site: { id, timezone } }: { readonly site: Site }) => {
  const query = { start_time: midnightIn(timezone).toISOString(), points: 600 };
  const today = useOperator("/sites/{id}/energy", { params: { id }, query }, { everyMs: 30_000 });
  return (
    <Card flush title={`Power today (${timezone})`}>
      <Answered of={today}>
        {({ site, meters, start_time, interval_seconds }) => {
          if (site.power_kw.every((value) => value === null))
            return <Empty>No readings today. The participant&apos;s systems have not sent any.</Empty>;
          const startS = Date.parse(start_time) / 1000;
          const timestamps = site.power_kw.map((_, index) => startS + (index + 1) * interval_seconds);
          return (
            <>
              <PowerChart
                label="Power of the site today"
                unit="kW"
                timeZone={timezone}
                timestamps={timestamps}
                curves={[
                  { label: "Site", colour: "chart-1", values: site.power_kw },
                  ...(meters.length < 2 ? [] : meters).map(({ name, power_kw }, index) => ({
                    label: name,
                    colour: colourOf(index),
                    values: power_kw,
                  })),
                ]}
              />
              <p className="px-4 pb-3 text-sm text-muted">
                {energy(site.energy_kwh)} so far, peak {power(site.peak_kw)}, {percent(site.coverage)} of readings
                received.
              </p>
            </>
          );
        }}
      </Answered>
    </Card>
  );
};

const colourOf = (index: number): CurveColour => curveColours[(index + 1) % curveColours.length] ?? "chart-2";

const midnightIn = (timezone: string): Date => {
  const now = new Date();
  return startOfDay(localDay(now, timezone), timezone) ?? now;
};
