import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useConsole, useConsoleList } from "../../../api/use-call.js";
import { BarChart } from "../../../chart/bar-chart.js";
import { localDay } from "../../../format/local-time.js";
import { energy, percent } from "../../../format/quantity.js";
import {
  type BarPeriod,
  type BarSpan,
  barPeriod,
  comparedPeriod,
  comparedSums,
  comparedWords,
  isComparison,
  isSpan,
  spanName,
} from "../../../rules/energy-bars.js";
import { Card } from "../../../ui/card.js";
import { Answered, Empty } from "../../../ui/state.js";
import { Table } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import { useNow } from "../../../ui/use-now.js";
import { BarControls } from "./bar-controls.js";
import { BarTable } from "./bar-table.js";
import { barsOf, type MarkedDispatch } from "./shown-bars.js";

type Site = participantConsole.SiteOverview;
type Bars = participantConsole.EnergyBars;

const route = getRouteApi("/dashboard/energy");
/** Marked in the picture and listed below it. */
const MOST_DISPATCHES = 100;

/** Energy of one site or of all by hour, day or month, compared with another period. */
export const EnergyBars = ({
  sites,
  site,
  current,
}: {
  readonly sites: readonly Site[];
  /** null: all sites. */
  readonly site: Site | null;
  /** Dispatches that are not over. */
  readonly current: readonly participantConsole.AccountDispatch[];
}) => {
  const search = route.useSearch();
  const span = isSpan(search.span) ? search.span : "day";
  const comparison = isComparison(search.compare) ? search.compare : "none";
  const zone = site?.timezone ?? zoneOf(sites);
  const today = localDay(useNow(), zone);
  const period = barPeriod(span, search.at, today);
  const other = comparedPeriod(span, period, comparison);
  const queryOf = (of: BarPeriod) => ({ ...of, timezone: zone, ...(site === null ? {} : { site_id: site.id }) });
  const asked = useConsole("/energy", { query: queryOf(period) }, { keep: true });
  const compared = useConsole("/energy", { query: queryOf(other ?? period) }, { keep: true, enabled: other !== null });
  const past = usePast(asked.data, site);
  return (
    <>
      <BarControls span={span} comparison={comparison} period={period} today={today} />
      <div className={`grid w-full gap-4 transition-opacity ${asked.isPlaceholderData ? "opacity-60" : ""}`}>
        <Answered of={asked}>
          {(bars) => (
            <Shown
              bars={bars}
              span={span}
              others={other === null || compared.data === undefined ? null : compared.data}
              otherName={other === null ? "" : spanName(span, other.from)}
              dispatches={[
                ...past,
                ...current.filter((each) => site === null || each.sites.some(({ site_id }) => site_id === site.id)),
              ]}
            />
          )}
        </Answered>
        {other !== null && compared.error !== null && <Answered of={compared}>{() => null}</Answered>}
      </div>
    </>
  );
};

/** The zone of most sites; of two, the first by name. The service has the same rule. */
export const zoneOf = (sites: readonly Site[]): string => {
  const counts = new Map<string, number>();
  for (const { timezone } of sites) counts.set(timezone, (counts.get(timezone) ?? 0) + 1);
  const [first] = [...counts].toSorted(([a, some], [b, others]) => others - some || a.localeCompare(b));
  return first?.[0] ?? "UTC";
};

const usePast = (bars: Bars | undefined, site: Site | null): readonly MarkedDispatch[] =>
  useConsoleList(
    "/dispatches/past",
    {
      query: {
        limit: MOST_DISPATCHES,
        ...(bars === undefined ? {} : { start_time: bars.start_time, end_time: bars.end_time }),
        ...(site === null ? {} : { site_id: site.id }),
      },
    },
    { enabled: bars !== undefined },
  ).items.filter(({ authorized }) => authorized);

interface ShownProps {
  readonly bars: Bars;
  readonly span: BarSpan;
  /** null: nothing is compared. */
  readonly others: Bars | null;
  readonly otherName: string;
  readonly dispatches: readonly MarkedDispatch[];
}

const Shown = ({ bars, span, others, otherName, dispatches }: ShownProps) => {
  const navigate = route.useNavigate();
  const sums = others === null ? null : comparedSums(bars.bars, others.bars);
  const shown = barsOf(bars, others, dispatches);
  const open = (index: number) => {
    const start = bars.bars[index]?.start_time;
    if (start === undefined || span === "day") return;
    const at = localDay(new Date(start), bars.timezone);
    void navigate({
      search: (before) => ({ ...before, span: span === "year" ? "month" : "day", at }),
      resetScroll: false,
    });
  };
  if (bars.sites.length === 0)
    return <Empty>{say("No data is visible yet. Your operator enables it once readings stream.")}</Empty>;
  return (
    <>
      <Card title={titleOf(bars, span)} flush>
        <p className="px-4 pb-1 text-sm" aria-live="polite">
          {totalWords(bars, sums === null ? null : comparedWords(sums, otherName))}
          {sums === null && others !== null && ` ${say("There are no readings to compare with.")}`}
        </p>
        <BarChart
          label={chartLabels(bars.timezone)[bars.by]}
          bars={shown}
          unit="kWh"
          {...(span === "day" ? {} : { onOpen: open })}
        />
        <p className="px-4 pb-1 text-sm text-muted">
          {[
            say("Times are in {zone}.", { zone: bars.timezone }),
            say("Hatched: readings are missing. Dashed: no readings."),
            ...(dispatches.length > 0 ? [say("▼ A dispatch.")] : []),
            ...(others === null ? [] : [say("Grey: {period}.", { period: otherName })]),
          ].join(" ")}
        </p>
        <BarTable bars={bars} others={others} otherName={otherName} dispatches={dispatches} />
      </Card>
      {bars.sites.length > 1 && <BySite sites={bars.sites} />}
    </>
  );
};

const titleOf = ({ by, energy_kwh, start_time, timezone }: Bars, span: BarSpan): string => {
  const values = {
    period: spanName(span, localDay(new Date(start_time), timezone)),
    energy: energy_kwh === null ? say("no readings") : energy(energy_kwh),
  };
  switch (by) {
    case "hour":
      return say("{period}: {energy} by hour", values);
    case "day":
      return say("{period}: {energy} by day", values);
    case "month":
      return say("{period}: {energy} by month", values);
  }
};

const chartLabels = (zone: string): Readonly<Record<Bars["by"], string>> => ({
  hour: say("Energy by hour, {zone}", { zone }),
  day: say("Energy by day, {zone}", { zone }),
  month: say("Energy by month, {zone}", { zone }),
});

/** `Imported 790 kWh, exported 10 kWh. 3 sites, 98% of the readings received.` */
const totalWords = (bars: Bars, comparison: string | null): string => {
  const { imported_kwh, exported_kwh, coverage, sites, hidden_sites } = bars;
  const words = [
    ...(comparison === null ? [] : [`${comparison.slice(0, 1).toUpperCase()}${comparison.slice(1)}.`]),
    ...(exported_kwh
      ? [
          say("Imported {imported}, exported {exported}.", {
            imported: energy(imported_kwh),
            exported: energy(exported_kwh),
          }),
        ]
      : []),
    say("{n, plural, one {# site} other {# sites}}, {share} of the readings received.", {
      n: sites.length,
      share: percent(coverage),
    }),
    ...(hidden_sites === 0
      ? []
      : [say("{n, plural, one {# site} other {# sites}} not visible and not counted.", { n: hidden_sites })]),
  ];
  return words.join(" ");
};

const BySite = ({ sites }: { readonly sites: Bars["sites"] }) => (
  <Card title={say("By site")} flush>
    <Table
      label={say("Energy by site")}
      rows={sites.toSorted((a, b) => (b.energy_kwh ?? -Infinity) - (a.energy_kwh ?? -Infinity))}
      keyOf={({ site_id }) => site_id}
      empty={say("No sites.")}
      columns={[
        {
          head: say("Site"),
          cell: ({ site_id, name }) => (
            <TextLink to="/dashboard/energy" search={(before: object) => ({ ...before, site: site_id })}>
              {name}
            </TextLink>
          ),
        },
        { head: say("Energy"), number: true, cell: (each) => energy(each.energy_kwh) },
        { head: say("Coverage"), number: true, cell: (each) => percent(each.coverage) },
      ]}
    />
  </Card>
);
