/** A site in a dispatch, as far as it decides whether somebody has to look at it. */
export interface AttendedSite {
  readonly siteId: string;
  readonly siteName: string;
  readonly accountId: string;
  readonly status: { readonly colour: "red" | "amber" | "green" | "blue" | "grey"; readonly words: string };
  readonly commitmentKw: number | null;
  /** null: unknown. */
  readonly deliveredKw: number | null;
}

/** What is missing to the commitment; all of it while the site sends nothing. */
export const shortfallKw = ({ commitmentKw, deliveredKw }: AttendedSite): number =>
  (commitmentKw ?? 0) - (deliveredKw ?? 0);

/** Why a site is short. */
export type ShortState = "not_notified" | "well_below" | "below" | "no_readings";

/** Less is noise of meters. */
const LEAST_KW = 0.5;

/** Why a site needs somebody; null: it delivers what it should, or what it should deliver is not known. */
export const shortStateOf = (site: AttendedSite, isNotified: boolean): ShortState | null => {
  if (shortfallKw(site) < LEAST_KW) return null;
  if (!isNotified) return "not_notified";
  switch (site.status.colour) {
    case "red":
      return "well_below";
    case "amber":
      return "below";
    case "grey":
      return site.deliveredKw === null ? "no_readings" : null;
    case "green":
    case "blue":
      return null;
  }
};

/** Sites below their commitment, the largest shortfall first. A site within the limits needs nobody. */
export const largestShortfalls = (sites: readonly AttendedSite[], most: number): readonly AttendedSite[] =>
  sites
    .filter((site) => site.status.colour !== "green" && site.status.colour !== "blue" && shortfallKw(site) > 0)
    .toSorted((a, b) => shortfallKw(b) - shortfallKw(a) || a.siteName.localeCompare(b.siteName))
    .slice(0, most);
