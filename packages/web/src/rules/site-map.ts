import type { operator, ReplyOf } from "@curtail/contract";
import { byName } from "../format/name-order.js";
import type { SiteRow, SiteState } from "./site-row.js";

type Mapped = ReplyOf<typeof operator.getSiteMap>["sites"][number];

/** How a site stands in a dispatch. */
export interface SiteMark {
  readonly dispatchId: string;
  readonly state: SiteState;
  readonly deliveredKw: number | null;
  readonly shortKw: number;
}

/**
 * How a point is drawn: `unreached` lacks kW and its account was not notified, `short` lacks kW, `dispatched` lacks none,
 * `plain` is in no dispatch that is shown, `other` is in another one than the one that was chosen.
 */
export type PointKind = "unreached" | "short" | "dispatched" | "plain" | "other";

export interface SitePoint {
  readonly site: Mapped;
  readonly kind: PointKind;
  /** null: in no dispatch that is shown. */
  readonly mark: SiteMark | null;
}

export type SiteMarks = ReadonlyMap<string, SiteMark>;

const shortStates: ReadonlySet<SiteState> = new Set(["not_notified", "well_below", "below", "no_readings"]);

/** Less is noise of meters. */
const LEAST_KW = 0.5;

const isShort = ({ state, shortKw }: SiteMark): boolean => shortStates.has(state) && shortKw >= LEAST_KW;

/** Of the sites that are short in dispatches in progress; of a site that is short in several, the largest shortfall. */
export const marksOfShort = (sites: readonly operator.ShortSite[]): SiteMarks => {
  const marks = new Map<string, SiteMark>();
  for (const { site_id, dispatch_id, state, delivered_kw, short_kw } of sites)
    if (short_kw > (marks.get(site_id)?.shortKw ?? 0))
      marks.set(site_id, { dispatchId: dispatch_id, state, deliveredKw: delivered_kw, shortKw: short_kw });
  return marks;
};

/** Of all sites of one dispatch. `isJudged`: not before it, nor while its sites may still ramp up. */
export const marksOfRows = (rows: readonly SiteRow[], dispatchId: string, isJudged: boolean): SiteMarks =>
  new Map(
    rows.map(({ site_id, state, delivered_kw, short_kw }) => [
      site_id,
      { dispatchId, state, deliveredKw: delivered_kw, shortKw: isJudged ? Math.max(0, short_kw ?? 0) : 0 },
    ]),
  );

/** The sites as points. `isChosen`: the marks are of one dispatch that was chosen. */
export const pointsOf = (sites: readonly Mapped[], marks: SiteMarks, isChosen: boolean): readonly SitePoint[] =>
  sites.map((site) => {
    const mark = marks.get(site.id) ?? null;
    return { site, mark, kind: kindOf(mark, isChosen) };
  });

const kindOf = (mark: SiteMark | null, isChosen: boolean): PointKind => {
  if (mark === null) return isChosen ? "other" : "plain";
  if (!isShort(mark)) return "dispatched";
  return mark.state === "not_notified" ? "unreached" : "short";
};

/** What a point lacks; 0 where that needs nobody. */
export const lackOf = ({ kind, mark }: SitePoint): number =>
  mark !== null && (kind === "unreached" || kind === "short") ? mark.shortKw : 0;

/** What sites lack that are on no map. */
export const lackOffMap = (
  marks: SiteMarks,
  sites: readonly Mapped[],
): { readonly sites: number; readonly kw: number } => {
  const located = new Set(sites.map(({ id }) => id));
  const lacking = [...marks].filter(([id, mark]) => !located.has(id) && isShort(mark));
  return { sites: lacking.length, kw: lacking.reduce((sum, [, { shortKw }]) => sum + shortKw, 0) };
};

/** The list beside the map: the largest shortfall first, then by name. */
export const listed = (points: readonly SitePoint[], isChosen: boolean): readonly SitePoint[] =>
  points
    .filter(({ mark }) => !isChosen || mark !== null)
    .toSorted((a, b) => lackOf(b) - lackOf(a) || byName(a.site.name, b.site.name));

/** Those whose names, or the names of their accounts, contain a text. */
export const matching = (
  sites: readonly Mapped[],
  text: string,
  accounts: ReadonlyMap<string, string>,
): readonly Mapped[] => {
  const words = text.trim().toLowerCase();
  if (words === "") return sites;
  return sites.filter(({ name, account_id }) =>
    `${name}\n${accounts.get(account_id) ?? ""}`.toLowerCase().includes(words),
  );
};

/** What is short in dispatches in progress, in a sentence. */
export interface ShortSum {
  readonly dispatches: number;
  readonly shortDispatches: number;
  /** A surplus of one dispatch offsets no other. */
  readonly shortKw: number;
  readonly shortSites: number;
  /** Some are not measured yet. */
  readonly isPart: boolean;
}

export const shortSumOf = (dispatches: readonly operator.ShortDispatch[]): ShortSum => ({
  dispatches: dispatches.length,
  shortDispatches: dispatches.filter(({ short_sites }) => short_sites > 0).length,
  shortKw: dispatches.reduce((sum, { short_kw, short_sites }) => sum + (short_sites > 0 ? (short_kw ?? 0) : 0), 0),
  shortSites: dispatches.reduce((sum, { short_sites }) => sum + short_sites, 0),
  isPart: dispatches.some(({ sites_measured }) => sites_measured === null),
});

/** The edges of a part of the map, in degrees. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

/** What holds all places; null without one. */
export const boundsOf = (places: readonly Pick<Mapped, "latitude" | "longitude">[]): Bounds | null => {
  if (places.length === 0) return null;
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const { latitude, longitude } of places) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return [west, south, east, north];
};
