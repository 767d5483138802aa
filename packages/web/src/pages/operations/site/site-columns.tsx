import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { power } from "../../../format/quantity.js";
import { ago } from "../../../format/time.js";
import { SimulatedMark } from "../../../parts/simulated-mark.js";
import { isSilent, lastPowerOf, lastReadingOf } from "../../../rules/last-reading.js";
import { Badge } from "../../../ui/badge.js";
import type { Column } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import { useNow } from "../../../ui/use-now.js";

export type Site = operator.OperatorSite;
export type Meter = Site["meters"][number];

export const LastReading = ({ at }: { readonly at: string | null }) => {
  const now = useNow();
  return <span className={isSilent(at, now) ? "text-warn" : ""}>{ago(at, now)}</span>;
};

/** The columns of a site in every list. */
export const siteColumns: readonly Column<Site>[] = [
  {
    head: say("Site"),
    cell: (site) => (
      <>
        <TextLink to="/operations/sites/$id" params={{ id: site.id }}>
          {site.name}
        </TextLink>
        <SimulatedMark of={site} />
      </>
    ),
  },
  { head: say("Location id"), cell: ({ customer_location_id }) => customer_location_id || "–", wide: true },
  { head: say("Group"), cell: ({ dispatch_group }) => dispatch_group || "–", wide: true },
  { head: say("Meters"), cell: ({ meters }) => meters.length, number: true, wide: true },
  { head: say("Load"), cell: (site) => power(lastPowerOf(site)), number: true },
  { head: say("Last reading"), cell: (site) => <LastReading at={lastReadingOf(site)} /> },
  {
    head: say("Data visibility"),
    cell: ({ display_enabled }) =>
      display_enabled ? (
        <Badge tone="good">{say("Enabled", {}, "data visibility")}</Badge>
      ) : (
        <Badge tone="warn">{say("Not yet")}</Badge>
      ),
    wide: true,
  },
];
