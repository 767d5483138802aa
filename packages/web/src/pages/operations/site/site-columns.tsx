import type { operator } from "@curtail/contract";
import { power } from "../../../format/quantity.js";
import { ago } from "../../../format/time.js";
import { Badge } from "../../../ui/badge.js";
import type { Column } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import { useNow } from "../../../ui/use-now.js";

export type Site = operator.OperatorSite;
export type Meter = Site["meters"][number];

/** When the newest reading of its meters came; null for none. */
const lastReadingOf = ({ meters }: Site): string | null =>
  meters.reduce<string | null>(
    (newest, { last_reading }) =>
      last_reading !== null && (newest === null || last_reading.timestamp > newest) ? last_reading.timestamp : newest,
    null,
  );

/** The newest readings of its meters together, however old. */
const lastPowerOf = ({ meters }: Site): number | null => {
  const values = meters.flatMap(({ last_reading }) => (last_reading === null ? [] : [last_reading.value]));
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
};

export const LastReading = ({ at }: { readonly at: string | null }) => {
  const now = useNow();
  const isOld = at === null || now.getTime() - Date.parse(at) > 15 * 60_000;
  return <span className={isOld ? "text-warn" : ""}>{ago(at, now)}</span>;
};

/** What is told of a site in every list. */
export const siteColumns: readonly Column<Site>[] = [
  {
    head: "Site",
    cell: ({ id, name }) => (
      <TextLink to="/operations/sites/$id" params={{ id }}>
        {name}
      </TextLink>
    ),
  },
  { head: "Location id", cell: ({ customer_location_id }) => customer_location_id || "–", wide: true },
  { head: "Group", cell: ({ dispatch_group }) => dispatch_group || "–", wide: true },
  { head: "Meters", cell: ({ meters }) => meters.length, number: true, wide: true },
  { head: "Load", cell: (site) => power(lastPowerOf(site)), number: true },
  { head: "Last reading", cell: (site) => <LastReading at={lastReadingOf(site)} /> },
  {
    head: "Display",
    cell: ({ display_enabled }) =>
      display_enabled ? <Badge tone="good">Enabled</Badge> : <Badge tone="warn">Not yet</Badge>,
    wide: true,
  },
];
