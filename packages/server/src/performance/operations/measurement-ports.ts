import type { ExcludedDay, HourRow, LoadSeries, MeterKey } from "@curtail/measure";
import type { Clock, NewId } from "../../platform/clock.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { BaselineSetting, MeasurementSettings } from "../../portfolio/domain/measurement.js";
import type { RulesVersion } from "../../portfolio/domain/rules.js";
import type { Hours } from "../../telemetry/domain/hours.js";
import type { AskedHours } from "../../telemetry/operations/hour-stretches.js";
import type { ExcludedDay as StoredExclusion } from "../domain/excluded-day.js";
import type { SiteDecision } from "../domain/result-quality.js";
import type { FinalVersion } from "../domain/version.js";
import type { LateNoteStore } from "./late-ports.js";
import type { LoadProfiles, ProfileDays } from "./profile-ports.js";
import type { SiteResult, SiteSummary } from "./site-summary.js";

/** What measuring a site needs to know about it. */
export interface SiteToMeasure {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly commitmentKw: number | null;
  /** Overrides the dispatch's. */
  readonly baseline: BaselineSetting | null;
  /** The meters whose sum is its load (M1). */
  readonly meters: readonly SiteMeterKey[];
  readonly otherMeters: readonly OtherMeter[];
  /** When it was enrolled in the program or, without an enrolment, created; null: unknown, and not new. */
  readonly enrolledMs: number | null;
  /** What an operator decided about it in the dispatch; null: nothing. */
  readonly decision: SiteDecision | null;
}

/** A meter that is measured. */
export interface SiteMeterKey extends MeterKey {
  readonly id: string;
  readonly name: string;
}

/** A meter that is no part of its site's load, since the site names others or has a point of interconnection (M1). */
export interface OtherMeter extends Pick<SiteMeterKey, "id" | "name"> {
  readonly reason: "not_named" | "behind_poi";
}

/** What measuring a dispatch needs to know about it, with the settings of its creation. */
export interface DispatchToMeasure extends Omit<MeasurementSettings, "testsAreEvents" | "correctionsDays"> {
  readonly id: string;
  readonly timezone: string;
  readonly startMs: number;
  readonly endMs: number | null;
  readonly notificationMs: number;
  readonly cancelledMs: number | null;
  /** Whether it was voided after its end. */
  readonly isVoid: boolean;
  readonly modificationNumber: number;
  /** The rules that hold for it (G64). */
  readonly rulesVersion: RulesVersion;
  /** Whether it is a participant's own test. */
  readonly isSelfMade: boolean;
  readonly sites: readonly SiteToMeasure[];
}

/** What determines which earlier days of a site count. */
export interface SiteHistory {
  readonly events: readonly OtherEvent[];
  /** Days that an operator excluded (M15). */
  readonly excludedDays: readonly ExcludedDay[];
}

export type HistoryBySite = ReadonlyMap<string, SiteHistory>;

export const NO_HISTORY: SiteHistory = { events: [], excludedDays: [] };

/** Selects sites of a dispatch: an account's, a single one, or all. */
export interface SiteFilter {
  readonly accountId?: string;
  readonly siteId?: string;
}

/** Another dispatch of a site. */
export interface OtherEvent {
  readonly id: string;
  readonly siteId: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** An hour row, and its version when it was read. */
export interface ReadRow extends HourRow {
  readonly rowVersion: string;
  /** Interval of the meter's newest readings when the row was read; null if unknown. */
  readonly readingSeconds: number | null;
}

/** A row as last read; null: it did not exist. */
export interface KnownRow extends MeterKey {
  readonly hour: number;
  readonly rowVersion: string | null;
}

/** Stored readings of meters. */
export type ReadingRows = Pick<MeasurementReader, "reporting" | "rows" | "firstHours" | "profiles">;

/** Days after its end until which a dispatch is followed to its final result; later, once somebody looks at it. */
export const FOLLOWED_DAYS = 7;

/** A dispatch without a final result. */
export interface UnfinishedDispatch {
  readonly id: string;
  /** When it ends or was cancelled; null: unknown. */
  readonly endMs: number | null;
}

export interface MeasurementReader {
  findDispatch(id: string, filter: SiteFilter): Promise<DispatchToMeasure | null>;
  /** A site with the meters that a dispatch created now would measure; without commitment and baseline. */
  findSite(id: string): Promise<SiteToMeasure | null>;
  /**
   * Other dispatches of the same sites that overlap the period, except those voided or cancelled before their start,
   * participants' own tests and, if the program says so, operators' tests (M5).
   */
  otherEvents(
    dispatchId: string,
    period: { readonly fromMs: number; readonly toMs: number },
  ): Promise<readonly OtherEvent[]>;
  /** The same of one site, without reference to a dispatch; `testsAreEvents` as in the settings of a program. */
  eventsOfSite(
    siteId: string,
    period: { readonly fromMs: number; readonly toMs: number },
    terms: Pick<MeasurementSettings, "testsAreEvents">,
  ): Promise<readonly OtherEvent[]>;
  /** Days of sites that operators excluded, by site id. */
  excludedDays(siteIds: readonly string[]): Promise<ReadonlyMap<string, readonly ExcludedDay[]>>;
  /** The meters that have readings in those hours. */
  reporting(meters: readonly MeterKey[], hours: Hours): Promise<ReadonlySet<number>>;
  /** Hour rows, in any order; each meter is asked for once. */
  rows(...asked: readonly AskedHours[]): Promise<readonly ReadRow[]>;
  /** The first hour with a reading that is stored of each of the meters. */
  firstHours(meters: readonly MeterKey[]): Promise<ReadonlyMap<number, number>>;
  /** Load profiles of days, for each source that is asked for; those that there are. */
  profiles(...asked: readonly ProfileDays[]): Promise<readonly LoadProfiles[]>;
  /** Those of the rows that were written since. */
  changedRows(known: readonly KnownRow[]): Promise<readonly ReadRow[]>;
  /** Until when readings of sites were archived and deleted, in Unix milliseconds, by site id; absent: never. */
  archivedUntil(siteIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Changes whenever any dispatch does. */
  dispatchesStamp(): Promise<string>;
  /** The same, as known without asking. */
  knownStamp(): string;
  /** The modification numbers of dispatches, by id. */
  modifications(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Dispatches without a final result that start by then; participants' own tests get none. */
  unfinished(startingBy: Date): Promise<readonly UnfinishedDispatch[]>;
}

/** Final results. A stored version never changes. */
export interface PerformanceStore {
  /** Whether no other process is finishing or correcting results; holds until the end of the transaction. */
  takeTurn(): Promise<boolean>;
  /** Waits until no other process does; holds likewise. */
  awaitTurn(): Promise<void>;
  /** Oldest first. */
  versions(dispatchId: string): Promise<readonly FinalVersion[]>;
  add(dispatchId: string, version: FinalVersion, results: readonly SiteResult[]): Promise<void>;
  /** More results for a version that was added in the same transaction. */
  addResults(dispatchId: string, version: FinalVersion, results: readonly SiteResult[]): Promise<void>;
  /** Those results that differ from the latest stored one of their site. */
  differing(dispatchId: string, results: readonly SiteResult[]): Promise<readonly SiteResult[]>;
  /** Sites with results stored by a newer version of the service in a format that this one cannot read. */
  newerSites(dispatchId: string): Promise<ReadonlySet<string>>;
  /** Sites with results that were stored after one version, up to another. */
  changedSites(dispatchId: string, after: number, upTo: number): Promise<ReadonlySet<string>>;
  /** Each site's result as of a version, in the order of the dispatch. */
  summaries(dispatchId: string, version: number, filter: SiteFilter): Promise<readonly SiteSummary[]>;
  result(dispatchId: string, version: number, siteId: string): Promise<SiteResult | null>;
  /** The same for several sites, in any order. */
  results(dispatchId: string, version: number, siteIds: readonly string[]): Promise<readonly SiteResult[]>;
  /** The loads of the results that a version replaced, by site id, oldest first; absent: there are none. */
  earlierLoads(dispatchId: string, version: number, siteIds: readonly string[]): Promise<EarlierLoads>;
}

export type EarlierLoads = ReadonlyMap<string, readonly LoadSeries[]>;

/** Days of sites that operators excluded. */
export interface ExcludedDayStore {
  find(siteId: string, date: string): Promise<StoredExclusion | null>;
  list(siteId: string, page: PageRequest): Promise<Page<StoredExclusion>>;
  save(day: StoredExclusion): Promise<void>;
  remove(siteId: string, date: string): Promise<StoredExclusion | null>;
}

/** What operators decided about sites of dispatches; the newest decision of each applies. */
export interface SiteDecisionStore {
  add(decision: DecidedSite & { readonly counts: SiteDecision["counts"] | null }): Promise<void>;
}

interface DecidedSite extends Pick<SiteDecision, "reason" | "actor"> {
  readonly dispatchId: string;
  readonly siteId: string;
  readonly at: Date;
}

export interface MeasurementPorts {
  readonly reader: MeasurementReader;
  readonly clock: Clock;
}

export interface TrackerPorts extends MeasurementPorts {
  readonly newId: NewId;
  readonly late: Pick<LateNoteStore, "settledSince">;
  readonly store: Pick<PerformanceStore, "versions" | "results">;
}
