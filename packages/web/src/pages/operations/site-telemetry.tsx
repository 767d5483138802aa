import type { operator, ReplyOf } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useOperator } from "../../api/use-call.js";
import { percent, power } from "../../format/quantity.js";
import { ago, duration, exact } from "../../format/time.js";
import { Found } from "../../parts/found.js";
import { periodOf } from "../../rules/dispatch-state.js";
import { completeness } from "../../rules/site-health.js";
import { ButtonLink } from "../../ui/button.js";
import { Card, Figure, Figures, PageHead, Stack } from "../../ui/card.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Answered, Empty } from "../../ui/state.js";
import { type Column, Table } from "../../ui/table.js";
import { useNow } from "../../ui/use-now.js";

const route = getRouteApi("/operations/telemetry/$id");

type Meter = ReplyOf<typeof operator.getTelemetryHealth>["meters"][number];

/** Telemetry quality of a site in the last 24 hours: gaps, flat lines and spikes. */
export const SiteTelemetryPage = () => {
  const { id } = route.useParams();
  const health = useOperator("/sites/{id}/telemetry-health", { params: { id } }, { everyMs: 30_000 });
  return (
    <Found of={useOperator("/sites/{id}", { params: { id } })} what="site" back="/operations/telemetry">
      {({ name, timezone }) => (
        <PageTimes isFixed timeZones={[timezone]} whose={name}>
          <PageHead
            title={name}
            tab={say("{name} · Telemetry", { name })}
            lead={say("Telemetry of the last 24 hours. Times are in {zone}.", { zone: timezone })}
            actions={<ButtonLink to="/operations/telemetry">{say("All sites")}</ButtonLink>}
          />
          <Answered of={health}>{({ meters }) => <Meters meters={meters} zone={timezone} />}</Answered>
        </PageTimes>
      )}
    </Found>
  );
};

const Meters = ({ meters, zone }: { readonly meters: readonly Meter[]; readonly zone: string }) =>
  meters.length === 0 ? (
    <Empty>{say("This site has no meters yet. Add one on the page of the site, under Sites.")}</Empty>
  ) : (
    <div className="grid gap-8">
      {meters.map((meter) => (
        <MeterHealth key={meter.meter_id} meter={meter} zone={zone} />
      ))}
    </div>
  );

const MeterHealth = ({ meter, zone }: { readonly meter: Meter; readonly zone: string }) => {
  const now = useNow();
  const { last_reading, completeness_last_hour, completeness_last_day } = meter;
  return (
    <section aria-label={say("Meter {name}", { name: meter.name })}>
      <h2 className="mb-2 text-lg font-semibold">{say("Meter {name}", { name: meter.name })}</h2>
      <Stack>
        <Figures>
          <Figure
            label={say("Last reading")}
            value={ago(last_reading?.timestamp, now)}
            hint={power(last_reading?.value)}
          />
          <Figure
            label={say("Last hour")}
            value={percent(completeness_last_hour)}
            hint={say("of 30-second intervals received")}
            tone={completeness(completeness_last_hour)}
          />
          <Figure
            label={say("Last 24 hours")}
            value={percent(completeness_last_day)}
            hint={say("of 30-second intervals received")}
            tone={completeness(completeness_last_day)}
          />
        </Figures>
        <div className="grid items-start gap-4 lg:grid-cols-3">
          <Periods title={say("Gaps")} rows={meter.gaps} zone={zone} empty={say("No gaps.")} />
          <Periods
            title={say("Flat lines")}
            rows={meter.flat_lines}
            zone={zone}
            empty={say("No flat lines of an hour or more.")}
            more={[{ head: say("Power"), number: true, cell: ({ value_kw }) => power(value_kw) }]}
          />
          <Spikes spikes={meter.spikes} zone={zone} />
        </div>
      </Stack>
    </section>
  );
};

interface Period {
  readonly start_time: string;
  readonly end_time: string;
}

/** Periods, latest first. */
const Periods = <Row extends Period>({
  title,
  rows,
  zone,
  empty,
  more = [],
}: {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly zone: string;
  readonly empty: string;
  readonly more?: readonly Column<Row>[];
}) => (
  <Card title={title} flush>
    <Table<Row>
      label={title}
      rows={rows.toSorted((a, b) => b.start_time.localeCompare(a.start_time))}
      keyOf={({ start_time }) => start_time}
      empty={empty}
      columns={[
        {
          head: say("From, to"),
          cell: (row) => periodOf(row, zone),
        },
        {
          head: say("Length", {}, "time"),
          number: true,
          cell: (row) => duration(Date.parse(row.end_time) - Date.parse(row.start_time)),
        },
        ...more,
      ]}
    />
  </Card>
);

const Spikes = ({ spikes, zone }: { readonly spikes: Meter["spikes"]; readonly zone: string }) => (
  <Card title={say("Spikes")} flush>
    <Table<Meter["spikes"][number]>
      label={say("Spikes")}
      rows={spikes.toSorted((a, b) => b.timestamp.localeCompare(a.timestamp))}
      keyOf={({ timestamp }) => timestamp}
      empty={say("No spikes.")}
      columns={[
        { head: say("At", {}, "time"), cell: ({ timestamp }) => exact(timestamp, zone) },
        { head: say("Power"), number: true, cell: ({ value_kw }) => power(value_kw) },
      ]}
    />
  </Card>
);
