import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { useOperator } from "../../../api/use-call.js";
import { type CurveColour, curveColours } from "../../../chart/colours.js";
import type { Curve, Span } from "../../../chart/curve.js";
import { PowerChart } from "../../../chart/power-chart.js";
import { useZoomInAddress } from "../../../chart/use-zoom-in-address.js";
import { energy, percent, power } from "../../../format/quantity.js";
import { dayOf } from "../../../format/time.js";
import { lastReadingOf } from "../../../rules/last-reading.js";
import { noCurveWords, type ShownDay, shownDay, stepped } from "../../../rules/shown-day.js";
import { Card } from "../../../ui/card.js";
import { DaySteps } from "../../../ui/day-steps.js";
import { Answered, Empty } from "../../../ui/state.js";
import { useNow } from "../../../ui/use-now.js";
import type { Site } from "./site-columns.js";

const route = getRouteApi("/operations/sites/$id");

/** Power on a day of the site's time zone, at first today, with its dispatches. */
export const Today = ({ site }: { readonly site: Site }) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const day = shownDay(search.day, site.timezone, useNow());
  const step = (by: -1 | 1) => {
    const to = stepped(day, by);
    void navigate({ search: to === null ? {} : { day: to }, replace: true, resetScroll: false });
  };
  return (
    <Card
      flush
      title={say("Power ({zone})", { zone: site.timezone })}
      actions={
        <DaySteps
          label={day.isToday ? say("Today") : dayOf(day.start, site.timezone)}
          onStep={step}
          hasNext={!day.isToday}
        />
      }
    >
      <OnDay site={site} day={day} />
    </Card>
  );
};

const OnDay = ({ site, day }: { readonly site: Site; readonly day: ShownDay }) => {
  const { id, name, timezone } = site;
  const start_time = day.start.toISOString();
  // Today ends with now, whenever it is requested.
  const period = day.isToday ? { start_time } : { start_time, end_time: day.end.toISOString() };
  const query = { ...period, points: 600 };
  const asking = { keep: true, ...(day.isToday ? { everyMs: 30_000 } : {}) };
  const asked = useOperator("/sites/{id}/energy", { params: { id }, query }, asking);
  const spans = useDispatches(id, day);
  const zoom = useZoomInAddress();
  return (
    <Answered of={asked}>
      {(data) =>
        data.site.power_kw.every((value) => value === null) ? (
          <Empty>{noCurveWords(day, lastReadingOf(site))}</Empty>
        ) : (
          <div className={`transition-opacity ${asked.isPlaceholderData ? "opacity-60" : ""}`}>
            <DayChart
              label={
                day.isToday
                  ? say("Power of the site today")
                  : say("Power of the site on {day}", { day: dayOf(day.start, timezone) })
              }
              data={data}
              name={name}
              zone={timezone}
              spans={spans}
              zoom={zoom}
            />
            <p className="px-4 pb-3 text-sm text-muted">{sumWords(data.site, day.isToday)}</p>
          </div>
        )
      }
    </Answered>
  );
};

interface Sums {
  readonly energy_kwh: number | null;
  readonly peak_kw: number | null;
  readonly coverage: number | null;
}

const sumWords = ({ energy_kwh, peak_kw, coverage }: Sums, isSoFar: boolean): string => {
  const sums = { energy: energy(energy_kwh), peak: power(peak_kw), coverage: percent(coverage) };
  return isSoFar
    ? say("{energy} so far, peak {peak}, {coverage} of readings received.", sums)
    : say("{energy}, peak {peak}, {coverage} of readings received.", sums);
};

/** Dispatches of the site on a day, cancelled ones left out. */
const useDispatches = (site_id: string, { start, end }: ShownDay): readonly Span[] => {
  const query = { site_id, start_time: start.toISOString(), end_time: end.toISOString(), sites: "omit" } as const;
  const { data } = useOperator("/dispatches", { query: { ...query, limit: 50 } });
  return useMemo(
    () =>
      (data?.items ?? [])
        .filter(({ authorized }) => authorized)
        .map(({ id, program, test, start_time, end_time }) => ({
          start: start_time,
          end: end_time,
          label: test
            ? say("Test dispatch {program}", { program: program.name })
            : say("Dispatch {program}", { program: program.name }, "noun"),
          to: `/operations/dispatches/${id}`,
        })),
    [data],
  );
};

type Chart = Parameters<typeof PowerChart>[0];
interface Energy {
  readonly start_time: string;
  readonly interval_seconds: number;
  readonly site: { readonly power_kw: readonly (number | null)[] };
  readonly meters: ReadonlyArray<{ readonly name: string; readonly power_kw: readonly (number | null)[] }>;
}

const DayChart = ({
  data,
  name,
  zone,
  ...rest
}: Pick<Chart, "label" | "spans" | "zoom"> & {
  readonly data: Energy;
  readonly name: string;
  readonly zone: string;
}) => {
  const timestamps = useMemo(() => {
    const start = Date.parse(data.start_time) / 1000;
    return data.site.power_kw.map((_, index) => start + (index + 1) * data.interval_seconds);
  }, [data]);
  const curves = useMemo(() => curvesOf(data), [data]);
  return <PowerChart {...rest} fileName={name} unit="kW" timeZone={zone} timestamps={timestamps} curves={curves} />;
};

const curvesOf = ({ site, meters }: Energy): Curve[] => [
  { label: say("Site"), colour: "chart-1", values: site.power_kw, measured: true },
  ...(meters.length < 2 ? [] : meters).map(({ name, power_kw }, index) => ({
    label: name === say("Site") ? say("Site (meter)") : name,
    colour: colourOf(index),
    values: power_kw,
  })),
];

const colourOf = (index: number): CurveColour => curveColours[(index + 1) % curveColours.length] ?? "chart-2";
