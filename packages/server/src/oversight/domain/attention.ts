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

/** Sites below their commitment, the largest shortfall first. A site within the limits needs nobody. */
export const largestShortfalls = (sites: readonly AttendedSite[], most: number): readonly AttendedSite[] =>
  sites
    .filter((site) => site.status.colour !== "green" && site.status.colour !== "blue" && shortfallKw(site) > 0)
    .toSorted((a, b) => shortfallKw(b) - shortfallKw(a) || a.siteName.localeCompare(b.siteName))
    .slice(0, most);
