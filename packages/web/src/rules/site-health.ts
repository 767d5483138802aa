import type { operator, ReplyOf } from "@curtail/contract";
import { byName } from "../format/name-order.js";

/** How a site reports, as text with a tone. */
export type SiteHealth = ReplyOf<typeof operator.listTelemetryHealth>["items"][number];

/** Whether the site needs attention: a meter fell silent, or none ever reported. */
export const isStale = ({ stale_meters, last_reading_at }: SiteHealth): boolean =>
  stale_meters > 0 || last_reading_at === null;

const rank = (site: SiteHealth): number =>
  site.last_reading_at === null ? (site.in_dispatch ? 1 : 3) : isStale(site) ? (site.in_dispatch ? 0 : 2) : 4;

/** Sites that cannot be measured in a dispatch come first. */
export const staleFirst = (a: SiteHealth, b: SiteHealth): number =>
  rank(a) - rank(b) || (a.last_reading_at ?? "").localeCompare(b.last_reading_at ?? "") || byName(a.name, b.name);

/** How the meters of a site report: no meters, never reported, all report, all silent, or some silent. */
export const reporting = ({
  meters,
  stale_meters,
  last_reading_at,
}: Pick<SiteHealth, "meters" | "stale_meters" | "last_reading_at">) => {
  if (meters === 0) return "no_meters";
  if (last_reading_at === null) return "never";
  if (stale_meters === 0) return "all";
  return stale_meters >= meters ? "none" : "some";
};

/** Rates completeness. */
export const completeness = (share: number): "good" | "warn" | "bad" =>
  share >= 0.95 ? "good" : share >= 0.8 ? "warn" : "bad";
