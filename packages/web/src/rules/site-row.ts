import type { operator } from "@curtail/contract";
import { DEFAULT_STATUS_LIMITS } from "@curtail/contract/constants";
import type { ShareLimits } from "./delivered-share.js";

export type MeasuredSite = operator.OperatorSitePerformance;

/** How a site stands in a dispatch: each site has one, so that their counts add up to the number of sites. */
export type SiteState =
  | "not_notified"
  | "well_below"
  | "no_readings"
  | "not_judged"
  | "below"
  | "on_commitment"
  | "well_above";

/** The most urgent first. */
export const siteStates: readonly SiteState[] = [
  "not_notified",
  "well_below",
  "no_readings",
  "not_judged",
  "below",
  "on_commitment",
  "well_above",
];

/** A site in the table of a dispatch. */
export interface SiteRow {
  readonly site_id: string;
  readonly name: string;
  readonly account_id: string;
  readonly commitment_kw: number | null;
  /** null: unknown. */
  readonly delivered_kw: number | null;
  /** What it lacks; all of its commitment while that is unknown; null without a commitment. */
  readonly short_kw: number | null;
  readonly state: SiteState;
  /** End of the newest interval; null: there is none. */
  readonly reading_at: string | null;
}

interface Judging {
  readonly isLive: boolean;
  readonly notNotified: ReadonlySet<string>;
}

/** A site now or, once the dispatch is over, on average. */
export const rowOf = (site: MeasuredSite, { isLive, notNotified }: Judging): SiteRow => {
  const { site_id, name, account_id, commitment_kw, latest } = site;
  const delivered_kw = isLive ? (latest?.reduction_kw ?? null) : site.mean_reduction_kw;
  return {
    site_id,
    name,
    account_id,
    commitment_kw,
    delivered_kw,
    short_kw: shortOf(commitment_kw, delivered_kw),
    state: notNotified.has(account_id) ? "not_notified" : measuredState(site, delivered_kw),
    reading_at: latest?.timestamp ?? null,
  };
};

const measuredState = ({ status }: MeasuredSite, deliveredKw: number | null): SiteState => {
  switch (status.colour) {
    case "red":
      return "well_below";
    case "amber":
      return "below";
    case "green":
      return "on_commitment";
    case "blue":
      return "well_above";
    case "grey":
      return deliveredKw === null ? "no_readings" : "not_judged";
  }
};

/** What a site delivered at a moment. */
export interface Momentary {
  readonly reduction_kw: number | null;
  readonly timestamp: string | null;
}

/** A site at a moment of the past, judged by what it delivered then. */
export const rowAt = (
  { site_id, name, account_id, commitment_kw }: MeasuredSite,
  { reduction_kw: delivered_kw, timestamp }: Momentary,
  {
    notNotified,
    limits,
    isCalled,
  }: Omit<Judging, "isLive"> & { readonly limits: ShareLimits | null; readonly isCalled: boolean },
): SiteRow => ({
  site_id,
  name,
  account_id,
  commitment_kw,
  delivered_kw,
  short_kw: isCalled ? shortOf(commitment_kw, delivered_kw) : null,
  state: notNotified.has(account_id)
    ? "not_notified"
    : momentaryState(commitment_kw, delivered_kw, isCalled ? limits : null),
  reading_at: timestamp,
});

const momentaryState = (
  commitmentKw: number | null,
  deliveredKw: number | null,
  limits: ShareLimits | null,
): SiteState => {
  if (deliveredKw === null) return "no_readings";
  if (limits === null || commitmentKw === null || commitmentKw === 0) return "not_judged";
  const share = deliveredKw / commitmentKw;
  const { amber_from, green_from, green_to } = { ...DEFAULT_STATUS_LIMITS, ...limits };
  if (share < amber_from) return "well_below";
  if (share < green_from) return "below";
  return share > green_to ? "well_above" : "on_commitment";
};

const shortOf = (commitmentKw: number | null, deliveredKw: number | null): number | null =>
  commitmentKw === null ? null : commitmentKw - (deliveredKw ?? 0);

/** Sites by state, without the states that none has. */
export const countStates = (rows: readonly SiteRow[]): ReadonlyArray<readonly [SiteState, number]> => {
  const counts = new Map<SiteState, number>();
  for (const { state } of rows) counts.set(state, (counts.get(state) ?? 0) + 1);
  return siteStates.flatMap((state) => (counts.has(state) ? [[state, counts.get(state) ?? 0] as const] : []));
};

const POINTS = 50;

/** The shortfall of all rows in their order, in some points from 0 to 1: how long the list is worth reading. */
export const shortfallStrip = (rows: readonly SiteRow[]): readonly number[] => {
  const kw = rows.map(({ short_kw }) => Math.max(0, short_kw ?? 0));
  const most = kw.reduce((a, b) => Math.max(a, b), 0);
  if (most === 0) return [];
  const count = Math.min(POINTS, kw.length);
  return Array.from({ length: count }, (_, point) => {
    const part = kw.slice(Math.floor((point * kw.length) / count), Math.floor(((point + 1) * kw.length) / count));
    return part.reduce((a, b) => Math.max(a, b), 0) / most;
  });
};

/** The number of first rows that have half of the shortfall; null without one. */
export const halfOfShortfall = (rows: readonly SiteRow[]): number | null => {
  const kw = rows.map(({ short_kw }) => Math.max(0, short_kw ?? 0));
  const all = kw.reduce((a, b) => a + b, 0);
  if (all === 0) return null;
  let sum = 0;
  return kw.findIndex((each) => (sum += each) >= all / 2) + 1;
};
