import type { SitePoint } from "./run-readings.js";

/** The ten minutes before a notice that may itself be a minute ago (G37, G44). */
const HELD_MS = 11 * 60_000;
/** Per site: a reading every second and a half. */
const MAX_POINTS = 500;
/** With two sites each, some 16 MB in all. */
const MAX_ACCOUNTS = 200;

/** By timestamp, in the order they were sent. */
type SiteReadings = Map<number, number>;

/**
 * Readings of the last minutes that each account sent for the sandbox's own sites, in memory: a scenario that starts
 * now may need the load before it. Beyond the limits, the oldest readings are dropped, and accounts that have not sent
 * for longest.
 */
export class RecentReadings {
  private readonly accounts = new Map<string, Map<string, SiteReadings>>();

  hold(accountId: string, points: Iterable<SitePoint>, now: Date): void {
    const sites = this.accounts.get(accountId) ?? new Map<string, SiteReadings>();
    for (const { siteId, atMs, powerKw } of points) {
      if (atMs <= now.getTime() - HELD_MS) continue;
      const site = sites.get(siteId) ?? new Map<number, number>();
      sites.set(siteId, site);
      // The last write wins; deleted first, so that it becomes the newest entry.
      site.delete(atMs);
      site.set(atMs, powerKw);
      dropOldest(site, MAX_POINTS);
    }
    if (sites.size === 0) return;
    this.accounts.delete(accountId);
    this.accounts.set(accountId, sites);
    dropOldest(this.accounts, MAX_ACCOUNTS);
  }

  *of(accountId: string, now: Date): Generator<SitePoint> {
    for (const [siteId, site] of this.accounts.get(accountId) ?? []) {
      for (const [atMs, powerKw] of site) {
        if (atMs > now.getTime() - HELD_MS) yield { siteId, atMs, powerKw };
      }
    }
  }
}

const dropOldest = <K>(map: Map<K, unknown>, most: number): void => {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
};
