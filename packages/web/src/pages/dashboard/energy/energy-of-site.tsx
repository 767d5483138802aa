import type { operator, participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useConsole } from "../../../api/use-call.js";
import { energy, percent, power } from "../../../format/quantity.js";
import { dayAndClock, period as periodWords } from "../../../format/time.js";
import { intervalName, type Period, periodOf } from "../../../rules/energy-period.js";
import { Button } from "../../../ui/button.js";
import { Card, Figure, Figures } from "../../../ui/card.js";
import { Answered, Empty } from "../../../ui/state.js";
import { Table } from "../../../ui/table.js";
import { useNow } from "../../../ui/use-now.js";
import { EnergyChart } from "./energy-chart.js";
import { EnergyDownload } from "./energy-download.js";

type SiteEnergy = operator.SiteEnergy;
const route = getRouteApi("/dashboard/energy");

/** Energy of one site over the period in the address. */
export const EnergyOfSite = ({ site }: { readonly site: participantConsole.SiteOverview }) => {
  const period = periodOf(route.useSearch(), site.timezone, useNow());
  return period === null ? (
    <Empty>{say("The period in the address is not valid: its start must be before its end. Choose another.")}</Empty>
  ) : (
    <Shown siteId={site.id} period={period} />
  );
};

const Shown = ({ siteId, period }: { readonly siteId: string; readonly period: Period }) => {
  const query = { start_time: period.start.toISOString(), end_time: period.end.toISOString() };
  const asked = useConsole("/sites/{id}/energy", { params: { id: siteId }, query }, { keep: true });
  return (
    <div className={`grid gap-4 transition-opacity ${asked.isPlaceholderData ? "opacity-60" : ""}`}>
      <Answered of={asked}>
        {(data) => (
          <>
            <Totals of={data.site} />
            <Charges of={data} />
            <Curve data={data} />
            {data.meters.length > 1 && <Meters meters={data.meters} />}
            <EnergyDownload siteId={siteId} period={query} />
          </>
        )}
      </Answered>
    </div>
  );
};

const Totals = ({ of }: { readonly of: SiteEnergy["site"] }) => (
  <Figures>
    <Figure
      label={say("Energy")}
      value={energy(of.energy_kwh)}
      hint={of.exported_kwh ? say("import minus export") : say("used", {}, "energy")}
    />
    {Boolean(of.exported_kwh) && (
      <>
        <Figure label={say("Imported")} value={energy(of.imported_kwh)} />
        <Figure label={say("Exported")} value={energy(of.exported_kwh)} />
      </>
    )}
    <Figure label={say("Peak")} value={power(of.peak_kw)} hint={say("highest half-minute")} />
    <Figure
      label={say("Coverage")}
      value={percent(of.coverage)}
      hint={say("of 30-second intervals have readings", {}, "after a percentage")}
    />
  </Figures>
);

/** The newest state of charge of each battery in the period. */
const Charges = ({ of: { meters, timezone } }: { readonly of: SiteEnergy }) =>
  meters.map(
    ({ meter_id, name, charge }) =>
      charge !== null && (
        <p key={meter_id} className="text-sm">
          {say("{battery}: state of charge {energy}, {time}", {
            battery: name,
            energy: energy(charge.value),
            time: dayAndClock(charge.timestamp, timezone),
          })}
        </p>
      ),
  );

const Curve = ({ data }: { readonly data: SiteEnergy }) => {
  const { zoomFrom } = route.useSearch();
  const navigate = route.useNavigate();
  const showWhole = () =>
    void navigate({ search: ({ zoomFrom: _zoomFrom, zoomTo: _zoomTo, ...rest }) => rest, resetScroll: false });
  return (
    <Card
      flush
      title={say("Power")}
      actions={zoomFrom !== undefined && <Button onClick={showWhole}>{say("Show the whole period")}</Button>}
    >
      <p className="px-4 pb-1 text-sm text-muted">
        {say(
          "{period} ({zone}), averages over {interval}. Export is negative. Missing readings appear as gaps. Drag across the chart to zoom in.",
          {
            period: periodWords(data.start_time, data.end_time, data.timezone),
            zone: data.timezone,
            interval: intervalName(data.interval_seconds),
          },
        )}
      </p>
      <EnergyChart
        data={data}
        {...(zoomFrom === undefined ? {} : { onZoomReset: showWhole })}
        onZoom={(from, to) =>
          void navigate({
            search: (before) => ({ ...before, zoomFrom: from.toISOString(), zoomTo: to.toISOString() }),
            resetScroll: false,
          })
        }
      />
    </Card>
  );
};

const kinds: Readonly<Record<SiteEnergy["meters"][number]["asset_type"], string>> = {
  load: say("load", {}, "kind of meter"),
  generator: say("generator", {}, "kind of meter"),
  battery: say("battery", {}, "kind of meter"),
  poi: say("poi", {}, "kind of meter: point of interconnection"),
};

const Meters = ({ meters }: Pick<SiteEnergy, "meters">) => (
  <Card title={say("Meters")} flush>
    <Table
      label={say("Meters")}
      rows={meters}
      keyOf={({ meter_id }) => meter_id}
      empty={say("No meters.")}
      columns={[
        { head: say("Meter"), cell: ({ name }) => name },
        { head: say("Kind"), wide: true, cell: ({ asset_type }) => kinds[asset_type] },
        { head: say("Energy"), number: true, cell: (meter) => energy(meter.energy_kwh) },
        { head: say("Imported"), number: true, wide: true, cell: (meter) => energy(meter.imported_kwh) },
        { head: say("Exported"), number: true, wide: true, cell: (meter) => energy(meter.exported_kwh) },
        { head: say("Peak"), number: true, cell: (meter) => power(meter.peak_kw) },
        { head: say("Coverage"), number: true, cell: (meter) => percent(meter.coverage) },
      ]}
    />
  </Card>
);
