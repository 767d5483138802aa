import { CELL_SECONDS, hourOf, lastCellOf } from "@curtail/measure";
import { grouped } from "../../../platform/grouped.js";
import { turns } from "../../../platform/turns.js";
import { within } from "../../../platform/within.js";
import { judgementOf } from "../../domain/performance.js";
import { type FinalVersion, isSettled, standingVersion } from "../../domain/version.js";
import { judgedSites } from "../judged.js";
import type { LateNote } from "../late-ports.js";
import { type DispatchReport, historyOf, reportOf } from "../measure-dispatch.js";
import { measuredSitesWith, readTogether } from "../measured-sites.js";
import {
  type DispatchToMeasure,
  type HistoryBySite,
  NO_HISTORY,
  type ReadRow,
  type SiteToMeasure,
  type TrackerPorts,
} from "../measurement-ports.js";
import { curvePeriod, SiteMeasurement } from "../site-measurement.js";
import type { SiteNumbers, SiteResult } from "../site-summary.js";
import { heldBytes } from "./measuring-memory.js";

/**
 * New readings are looked for from this long ago until a little ahead; older ones count as late and are noted
 * separately.
 */
const BACK_MS = 3_600_000;
const AHEAD_MS = 300_000;
/** After standing still for so long, what was written meanwhile is no longer found as new rows. */
const MAY_BE_PACKED_MS = 43_200_000;
/** Baselines are recomputed from this long before the start; before that, their inputs keep growing. */
const REFRESHED_FROM_MS = 600_000;
/** Sites that are read again one after the other; a site takes some milliseconds. */
const MOST_REREAD = 200;
/** Recomputing baselines holds up other dispatches, so they are not all done at once. */
const REFRESH_BUDGET_MS = 500;

/** A request for all explanations waits this long; others wait for a request that does. */
const EXPLAIN_WAIT_MS = 1000;

interface TrackedSite {
  readonly site: SiteToMeasure;
  measurement: SiteMeasurement;
  result: SiteNumbers;
  /** Revision of the tracker at its last change. */
  changedAt: number;
}

/** A dispatch and the inputs of its measurement, as read. */
interface TrackedInputs {
  readonly dispatch: DispatchToMeasure;
  readonly sites: readonly TrackedSite[];
  readonly history: HistoryBySite;
  /** Stamp of all dispatches before the events were read. */
  readonly stamp: string;
  readonly versions: readonly FinalVersion[];
}

/** What is measured of a dispatch while its other sites are read. */
export interface PartlyMeasured {
  readonly dispatch: DispatchToMeasure;
  /** Grows, in the order of the dispatch. */
  readonly results: readonly SiteNumbers[];
  readonly asOfMs: number;
  /** With a final result, that one is shown, and nothing of what is measured here. */
  readonly isFinal: boolean;
}

/** How to read a dispatch. */
export interface TrackerReading {
  readonly signal: AbortSignal;
  /** Called with the memory that the dispatch needs, before its readings are read; throws if there is no room. */
  readonly admit: (dispatch: DispatchToMeasure, bytes: number) => void;
  /** Called with what has been measured, after each site. */
  readonly onProgress: (part: PartlyMeasured) => void;
}

/** Tracks the sites of a dispatch: reads new readings and measures what they change. */
export class DispatchTracker {
  /** Identifies this reading of the dispatch: revisions of another reading do not apply. */
  readonly id: string;
  /** Counts changes; a reader asks for those after the last revision it has. */
  revision = 0;
  readonly dispatch: DispatchToMeasure;
  /** Of its sites, as in telemetry. */
  readonly siteNumbers: ReadonlySet<number>;
  private readonly sites: readonly TrackedSite[];
  private versions: readonly FinalVersion[];
  private history: HistoryBySite;
  private stamp: string;
  private needsRereading = false;
  private asOfMs: number;
  private readonly seenNotes = new Set<number>();
  /** Notes of late readings after this moment are new. */
  notesSinceMs: number;
  private measuredCell: number;
  /** Changed but not measured yet: if an update fails half way, the next one measures them. */
  private readonly changed = new Set<TrackedSite>();
  private explaining: Promise<void> | null = null;
  private updating: Promise<void> = Promise.resolve();
  private queued: Promise<void> | null = null;

  private constructor(
    private readonly ports: TrackerPorts,
    inputs: TrackedInputs,
    private readonly readAtMs: number,
  ) {
    this.dispatch = inputs.dispatch;
    this.siteNumbers = new Set(inputs.sites.map(({ site }) => numberOf(site)));
    this.sites = inputs.sites;
    this.versions = inputs.versions;
    this.history = inputs.history;
    this.stamp = inputs.stamp;
    this.id = ports.newId("trk");
    this.asOfMs = readAtMs;
    this.notesSinceMs = readAtMs;
    this.measuredCell = lastCellOf(readAtMs);
  }

  /** Reads a dispatch and all its inputs; null if there is no such dispatch. */
  static async read(
    ports: TrackerPorts,
    id: string,
    { signal, admit, onProgress }: TrackerReading,
  ): Promise<DispatchTracker | null> {
    const dispatch = await ports.reader.findDispatch(id, {});
    if (dispatch === null) return null;
    const nowMs = ports.clock.now().getTime();
    admit(dispatch, heldBytes(dispatch, dispatch.sites, nowMs));
    const versions = await ports.store.versions(id);
    const stamp = await ports.reader.dispatchesStamp();
    const history = await historyOf(ports, dispatch);
    const sites: TrackedSite[] = [];
    const results: SiteNumbers[] = [];
    const part = { dispatch, results, asOfMs: nowMs, isFinal: versions.length > 0 };
    const wanted = { sites: dispatch.sites, history, extent: "used" } as const;
    for await (const measurement of measuredSitesWith(ports, dispatch, wanted)) {
      signal.throwIfAborted();
      const result = measurement.result(nowMs);
      sites.push({ site: measurement.site, measurement, result, changedAt: 0 });
      results.push(result);
      onProgress(part);
    }
    await showSettled(ports, dispatch, { versions, sites });
    return new DispatchTracker(ports, { dispatch, sites, history, stamp, versions }, nowMs);
  }

  /** Whether it has to be read again: the dispatch changed, or an open end outgrew its curves. */
  isOutdated(modificationNumber: number | undefined): boolean {
    if (this.needsRereading || modificationNumber !== this.dispatch.modificationNumber) return true;
    const nowMs = this.ports.clock.now().getTime();
    if (nowMs - this.asOfMs > MAY_BE_PACKED_MS) return true;
    const known = curvePeriod(this.dispatch, this.readAtMs).endMs;
    return curvePeriod(this.dispatch, nowMs).endMs > known;
  }

  /** Updates everything to what is stored now. Calls during a run share the next run. */
  update(): Promise<void> {
    if (this.queued !== null) return this.queued;
    const run = this.updating.then(() => {
      this.queued = null;
      return this.updateNow();
    });
    this.queued = run;
    this.updating = run.catch(() => {});
    return run;
  }

  /** Reads sites again with their look-back: after late readings, and where other dispatches than before count (M6). */
  async reread(notes: readonly LateNote[], stamp: string): Promise<void> {
    const fresh = notes.filter((note) => this.isConcerned(note) && !this.seenNotes.has(note.seq));
    for (const { seq } of fresh) this.seenNotes.add(seq);
    const late = new Set(fresh.map(({ site }) => site));
    // The dispatch itself is read again: other rules hold for it, or an operator decided about a site.
    if (fresh.some(({ reason }) => reason === "rules" || reason === "decided")) this.needsRereading = true;
    if (late.size === 0 && stamp === this.stamp) return;
    // Another process may have approved it.
    if (this.isFinal) this.versions = await this.ports.store.versions(this.dispatch.id);
    if (isSettled(this.versions)) {
      this.stamp = stamp;
      return;
    }
    try {
      const history = await historyOf(this.ports, this.dispatch);
      const before = this.history;
      const changed = this.sites.filter(({ site }) => late.has(numberOf(site)) || !isSame(site.id, before, history));
      [this.history, this.stamp] = [history, stamp];
      // So many are read in the background, meanwhile others are updated.
      if (changed.length > MOST_REREAD) this.needsRereading = true;
      else for (const tracked of changed) await this.rereadSite(tracked, history);
    } catch (error) {
      // These notes will not come again, so the next look reads the whole dispatch.
      this.needsRereading = true;
      throw error;
    }
  }

  report(): DispatchReport<SiteNumbers> {
    return this.reportOf(this.results());
  }

  /** Sites that changed after a revision. */
  changedSince(revision: number): readonly SiteNumbers[] {
    const changed = this.sites.filter(({ changedAt }) => changedAt > revision).map(({ result }) => result);
    return judgedSites(judgementOf(this.dispatch, true), changed);
  }

  /** A report of some sites with their explanations, for which whole days are read. */
  async explainedReport(siteIds: ReadonlySet<string>): Promise<DispatchReport<SiteResult>> {
    const sites = this.sites.filter(({ site }) => siteIds.has(site.id));
    await this.explain(sites);
    return this.reportOf(explainedResults(sites, this.asOfMs));
  }

  /** The results with their explanations; null while the whole days in them are read, which takes a while for many. */
  async explainedSoon(): Promise<readonly SiteResult[] | null> {
    this.explaining ??= this.explain(this.sites).finally(() => {
      this.explaining = null;
    });
    const isDone = await within(
      this.explaining.then(() => true),
      EXPLAIN_WAIT_MS,
      () => false,
    );
    return isDone ? explainedResults(this.sites, this.asOfMs) : null;
  }

  /** Whether all readings have arrived and are measured. */
  isWhole(): boolean {
    return this.changed.size === 0 && this.sites.every(({ measurement }) => measurement.isWhole());
  }

  /** Whether a note of one of its sites says what other looks do not find. Others only cost reading the site again. */
  private isConcerned({ dispatchId, site, reason, fromMs, notedMs }: LateNote): boolean {
    if (dispatchId !== null) return dispatchId === this.dispatch.id;
    const isFound = reason === "corrected" && !this.isFinal && fromMs >= notedMs - BACK_MS;
    return !isFound && this.siteNumbers.has(site);
  }

  /** Turns it into a final result. */
  finalise(version: FinalVersion): void {
    this.versions = [...this.versions, version];
    this.revision += 1;
  }

  get isFinal(): boolean {
    return this.versions.length > 0;
  }

  results(): readonly SiteNumbers[] {
    return this.sites.map(({ result }) => result);
  }

  private reportOf<Site extends SiteNumbers>(sites: readonly Site[]): DispatchReport<Site> {
    const { asOfMs, versions } = this;
    const version = standingVersion(versions)?.version ?? null;
    return reportOf(this.dispatch, sites, { asOfMs, version, versions });
  }

  private async rereadSite(tracked: TrackedSite, history: HistoryBySite): Promise<void> {
    const nowMs = this.ports.clock.now().getTime();
    const task = taskOf(this.dispatch, tracked.site, history);
    tracked.measurement = await SiteMeasurement.read(this.ports.reader, task, nowMs, "used");
    await this.measure([tracked], nowMs);
  }

  private async updateNow(): Promise<void> {
    if (isSettled(this.versions)) return;
    const nowMs = this.ports.clock.now().getTime();
    await this.takeRows(await this.ports.reader.changedRows(this.knownRows(nowMs)));
    await this.refreshStale(nowMs);
    const cell = lastCellOf(nowMs);
    // With each cell that passes, the expected energy of every site grows.
    await this.measure(cell === this.measuredCell ? [...this.changed] : this.sites, nowMs);
    this.measuredCell = cell;
    this.changed.clear();
  }

  private async explain(sites: readonly TrackedSite[]): Promise<void> {
    // A site may be read again meanwhile.
    for (let left = unexplained(sites); left.length > 0; left = unexplained(sites))
      for await (const _ of readTogether(this.ports.reader, left, (rows, each) => each.measurement.explain(rows)));
  }

  private knownRows(nowMs: number) {
    // From before the last look, however long ago that was: readings arrived while the process stood still.
    const first = hourAt(Math.min(nowMs, this.asOfMs) - BACK_MS);
    const hours = Array.from({ length: hourAt(nowMs + AHEAD_MS) - first + 1 }, (_, index) => first + index);
    return this.sites.flatMap(({ measurement }) => measurement.known(hours));
  }

  /** Recomputes baselines whose inputs changed, as many as time allows; the others follow at the next look. */
  private async refreshStale(nowMs: number): Promise<void> {
    if (nowMs < this.dispatch.startMs - REFRESHED_FROM_MS) return;
    const began = performance.now();
    for (const tracked of this.sites) {
      if (!tracked.measurement.needsRefresh) continue;
      await tracked.measurement.refresh();
      this.changed.add(tracked);
      if (performance.now() - began > REFRESH_BUDGET_MS) return;
    }
  }

  private async takeRows(rows: readonly ReadRow[]): Promise<void> {
    const othersTurn = turns();
    const bySite = grouped(rows, ({ site }) => site);
    for (const tracked of this.sites) {
      const own = bySite.get(numberOf(tracked.site));
      if (own !== undefined && tracked.measurement.take(own)) this.changed.add(tracked);
      await othersTurn();
    }
  }

  private async measure(sites: readonly TrackedSite[], nowMs: number): Promise<void> {
    const othersTurn = turns();
    const measured = [];
    for (const tracked of sites) {
      const { measurement } = tracked;
      measured.push({ tracked, measurement, result: measurement.result(nowMs) });
      await othersTurn();
    }
    // In one synchronous step: no sites are added to a revision that was already seen.
    this.asOfMs = nowMs;
    if (measured.length === 0) return;
    this.revision += 1;
    for (const { tracked, measurement, result } of measured) {
      // The site was read again meanwhile, and is measured with that.
      if (tracked.measurement !== measurement) continue;
      tracked.result = result;
      tracked.changedAt = this.revision;
    }
  }
}

const unexplained = (sites: readonly TrackedSite[]) =>
  sites
    .filter(({ measurement }) => !measurement.isExplained)
    .map(({ site: { meters }, measurement }) => ({ meters, measurement }));

const explainedResults = (sites: readonly TrackedSite[], asOfMs: number): SiteResult[] =>
  sites.map(({ measurement }) => measurement.explained(asOfMs));

/** A settled result is shown as it was stored, whatever was corrected since (M15). */
const showSettled = async (
  { store }: Pick<TrackerPorts, "store">,
  { id }: DispatchToMeasure,
  { versions, sites }: Pick<TrackedInputs, "versions" | "sites">,
): Promise<void> => {
  const standing = standingVersion(versions);
  if (standing === null || !isSettled(versions)) return;
  const ids = sites.map(({ site }) => site.id);
  const stored = new Map((await store.results(id, standing.version, ids)).map((result) => [result.siteId, result]));
  for (const tracked of sites) tracked.result = stored.get(tracked.site.id) ?? tracked.result;
};

/** -1 for a site without meters, of which nothing is measured. */
const numberOf = ({ meters }: SiteToMeasure): number => meters[0]?.site ?? -1;

const isSame = (siteId: string, before: HistoryBySite, now: HistoryBySite): boolean =>
  JSON.stringify(before.get(siteId)) === JSON.stringify(now.get(siteId));

const hourAt = (ms: number): number => hourOf(Math.ceil(ms / 1000 / CELL_SECONDS));

const taskOf = (dispatch: DispatchToMeasure, site: SiteToMeasure, bySite: HistoryBySite) => ({
  dispatch,
  site,
  history: bySite.get(site.id) ?? NO_HISTORY,
});
