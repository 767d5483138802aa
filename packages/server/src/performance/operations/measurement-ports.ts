import type { ExcludedDay, HourRow, LoadSeries, MeterKey } from "@curtail/measure";
import type { Actor } from "../../access/domain/account.js";
import type { DispatchedBaselines } from "../../dispatch/operations/dispatch-ports.js";
import type { Clock, NewId } from "../../platform/clock.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { BaselineSetting, MeasurementSettings } from "../../portfolio/domain/measurement.js";
import type { RulesVersion } from "../../portfolio/domain/rules.js";
import type { Hours } from "../../telemetry/domain/hours.js";
import type { AskedHours } from "../../telemetry/operations/asked-hours.js";
import type { ExcludedDay as StoredExclusion } from "../domain/excluded-day.js";
import type { SiteDecision } from "../domain/result-quality.js";
import type { FinalVersion } from "../domain/version.js";
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
export type ReadingRows = Pick<MeasurementReader, "reporting" | "rows" | "firstHours">;

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
  /** Those of the rows that were written since. */
  changedRows(known: readonly KnownRow[]): Promise<readonly ReadRow[]>;
  /** Until when readings of sites were archived and deleted, in Unix milliseconds, by site id; absent: never. */
  archivedUntil(siteIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Changes whenever any dispatch does. */
  dispatchesStamp(): Promise<string>;
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

/** What operators decided about sites of dispatches; the newest decision of each stands. */
export interface SiteDecisionStore {
  add(decision: DecidedSite & { readonly counts: SiteDecision["counts"] | null }): Promise<void>;
}

interface DecidedSite extends Pick<SiteDecision, "reason" | "actor"> {
  readonly dispatchId: string;
  readonly siteId: string;
  readonly at: Date;
}

/** A period of late readings of a site, by the site's number. */
export interface LateSpan {
  readonly site: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A site of a dispatch whose inputs changed. */
export interface LateNote {
  readonly seq: number;
  /** Late readings, other days with events than before, or what an operator did by hand. */
  readonly reason: Extract<FinalVersion["reason"], "corrected" | "event_days" | "excluded_days" | "rules" | "decided">;
  /** Who did something by hand, and why; null for other reasons. */
  readonly actor: Actor | null;
  readonly note: string | null;
  readonly dispatchId: string;
  readonly siteId: string;
}

/** Which late readings of a site may concern a dispatch, in memory. */
export interface LateWindows {
  /** Those of the spans that may concern a dispatch; none that was committed so long before this call is missed. */
  concerned(spans: readonly LateSpan[], mostAgeMs: number): Promise<readonly LateSpan[]>;
}

/** Late readings that are stored now: their notes, and spans that may concern more than was noted. */
export interface StoredLate {
  readonly notes: readonly number[];
  readonly missed: readonly LateSpan[];
}

/** A day that was excluded or counts again. */
export interface ExcludedDayChange {
  readonly siteId: string;
  readonly date: string;
  readonly actor: Actor;
  /** What versions say about it. */
  readonly note: string;
}

/** Newer rules for local months: from one on, before another. */
export interface AdoptedRules extends Pick<LateNote, "actor" | "note"> {
  readonly fromMonth: string;
  readonly untilMonth: string;
}

/** Notes of late readings: written before the readings are, settled once those are stored. */
export interface LateReadings extends DispatchedBaselines {
  /** Notes the spans, without looking for what they concern; returns the ids to settle. */
  note(spans: readonly LateSpan[], now: Date): Promise<readonly number[]>;
  /** Returns how many of the notes there still were. */
  settle(stored: StoredLate, now: Date): Promise<number>;
  /** Whether there are settled spans, and none of them newer than `quietSince` or one older than `waitingSince`. */
  areSpansDue(quietSince: Date, waitingSince: Date): Promise<boolean>;
  /** Turns settled spans into notes of the dispatches that they concern, while no result is being corrected. */
  findConcerned(now: Date): Promise<void>;
  /** Marks dispatches of a site whose look-back may have the day. */
  excludedDayChange(change: ExcludedDayChange, now: Date): Promise<void>;
  /** Tells those who follow the dispatch that an operator decided about a site of it. */
  siteDecided(decided: Pick<LateNote, "dispatchId" | "siteId" | "actor" | "note">, now: Date): Promise<void>;
  /** Marks dispatches of local months for which an operator adopted newer rules. */
  rulesAdopted(adopted: AdoptedRules, now: Date): Promise<void>;
  /** Settles notes of uploads that never ended. */
  settleAbandoned(notedBefore: Date, now: Date): Promise<void>;
  settledSince(dispatchIds: readonly string[], since: Date): Promise<readonly LateNote[]>;
  /** Unhandled notes of dispatches with none newer than `quietSince`, or with one older than `waitingSince`. */
  due(quietSince: Date, waitingSince: Date): Promise<readonly LateNote[]>;
  handled(notes: readonly number[], now: Date): Promise<void>;
  /** Deletes notes handled before then. */
  forget(handledBefore: Date): Promise<void>;
}

export interface MeasurementPorts {
  readonly reader: MeasurementReader;
  readonly clock: Clock;
}

export interface TrackerPorts extends MeasurementPorts {
  readonly newId: NewId;
  readonly late: Pick<LateReadings, "settledSince">;
  readonly store: Pick<PerformanceStore, "versions" | "results">;
}
