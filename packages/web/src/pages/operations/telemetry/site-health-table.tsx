import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { count, percent } from "../../../format/quantity.js";
import { ago } from "../../../format/time.js";
import { isStale, reporting, type SiteHealth, staleFirst } from "../../../rules/site-health.js";
import { Badge } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { Checkbox, Field } from "../../../ui/field.js";
import { type Column, Table } from "../../../ui/table.js";
import { useNow } from "../../../ui/use-now.js";

/** All sites, with a search. */
export const SiteHealthTable = ({ sites }: { readonly sites: readonly SiteHealth[] }) => {
  const now = useNow();
  const [search, setSearch] = useState("");
  const [onlyStale, setOnlyStale] = useState(false);
  const wanted = search.trim().toLowerCase();
  const found = sites
    .filter(
      (site) => (!onlyStale || isStale(site)) && `${site.name} ${site.account_name}`.toLowerCase().includes(wanted),
    )
    .toSorted(staleFirst);
  return (
    <Card title={say("Sites, stale first")} flush>
      <div className="grid items-center gap-x-4 px-4 sm:grid-cols-2">
        <Field
          label={say("Search")}
          type="search"
          placeholder={say("Site or account")}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Checkbox
          label={say("Only stale sites")}
          checked={onlyStale}
          onChange={(event) => setOnlyStale(event.target.checked)}
        />
      </div>
      <Table<SiteHealth>
        label={say("Telemetry health of sites")}
        rows={found}
        keyOf={({ site_id }) => site_id}
        empty={
          sites.length === 0
            ? say("No sites yet. Create them under Accounts, or import them.")
            : say("No matching sites.")
        }
        columns={columnsOf(now)}
      />
    </Card>
  );
};

const columnsOf = (now: Date): readonly Column<SiteHealth>[] => [
  {
    head: say("Site"),
    cell: ({ site_id, name, in_dispatch }) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <Link
          to="/operations/telemetry/$id"
          params={{ id: site_id }}
          className="font-medium text-accent hover:underline"
        >
          {name}
        </Link>
        {in_dispatch && <Badge tone="accent">{say("in a dispatch")}</Badge>}
      </span>
    ),
  },
  { head: say("Account"), wide: true, cell: ({ account_name }) => account_name },
  { head: say("State"), cell: (site) => <State site={site} /> },
  {
    head: say("Last reading"),
    cell: ({ last_reading_at }) => <span className="whitespace-nowrap">{ago(last_reading_at, now)}</span>,
  },
  {
    head: say("Last hour"),
    number: true,
    wide: true,
    cell: ({ completeness_last_hour }) => percent(completeness_last_hour),
  },
];

const State = ({ site }: { readonly site: SiteHealth }) => {
  switch (reporting(site)) {
    case "no_meters":
      return <Badge>{say("no meters")}</Badge>;
    case "never":
      return <Badge tone="neutral">{say("never reported", {}, "site")}</Badge>;
    case "all":
      return <Badge tone="good">{say("reporting", {}, "site")}</Badge>;
    case "none":
      return <Badge tone="bad">{say("silent", {}, "site")}</Badge>;
    case "some":
      return (
        <Badge tone="warn">
          {say("{part} of {n, plural, one {# meter} other {# meters}} silent", {
            part: count(site.stale_meters),
            n: site.meters,
          })}
        </Badge>
      );
  }
};
