import { finalAt, firstLookAt, type Point } from "../domain/report.js";
import type { Scenario } from "../domain/scenario.js";

/** A reading a minute for thirty sites over a day; further readings of a run are ignored. */
const MAX_POINTS = 50_000;

/** A reading of a site. */
export type SitePoint = Point & { readonly siteId: string };

interface Held {
  readonly scenario: Scenario;
  readonly sites: Map<string, Map<number, number>>;
  count: number;
}

/** Readings of current runs, in memory: only for their reports, until they are dropped (G44). */
export class RunReadings {
  private readonly runs = new Map<string, Held>();

  hold(scenario: Scenario, points: Iterable<SitePoint>): void {
    const [fromMs, untilMs] = [firstLookAt(scenario).getTime(), finalAt(scenario).getTime()];
    const held = this.runs.get(scenario.id) ?? { scenario, sites: new Map<string, Map<number, number>>(), count: 0 };
    for (const { siteId, atMs, powerKw } of points) {
      if (atMs <= fromMs || atMs > untilMs || held.count >= MAX_POINTS) continue;
      this.runs.set(scenario.id, held);
      const site = held.sites.get(siteId) ?? new Map<number, number>();
      held.sites.set(siteId, site);
      if (!site.has(atMs)) held.count += 1;
      // The last write wins, as in production.
      site.set(atMs, powerKw);
    }
  }

  pointsOf(scenarioId: string): Map<string, Point[]> {
    const sites = [...(this.runs.get(scenarioId)?.sites ?? [])];
    return new Map(
      sites.map(([siteId, points]) => [
        siteId,
        [...points].map(([atMs, powerKw]) => ({ atMs, powerKw })).sort((a, b) => a.atMs - b.atMs),
      ]),
    );
  }

  scenarios(): Scenario[] {
    return [...this.runs.values()].map(({ scenario }) => scenario);
  }

  isHeld(scenarioId: string): boolean {
    return this.runs.has(scenarioId);
  }

  drop(scenarioId: string): void {
    this.runs.delete(scenarioId);
  }
}
