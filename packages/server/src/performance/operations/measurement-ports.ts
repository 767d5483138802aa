import type { HourRow, MeterKey } from "@curtail/measure";
import type { DispatchedBaselines } from "../../dispatch/operations/dispatch-ports.js";
import type { Clock, NewId } from "../../platform/clock.js";
import type { BaselineSetting, MeasurementSettings } from "../../portfolio/domain/measurement.js";
import type { SiteResult, SiteSummary } from "./site-summary.js";

/** A site of a dispatch, as far as measuring it goes. */
export interface SiteToMeasure {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly commitmentKw: number | null;
  /** Instead of the dispatch's. */
  readonly baseline: BaselineSetting | null;
  readonly meters: readonly MeterKey[];
}

/** A dispatch, as far as measuring it goes, with the settings that held when it was created. */
export interface DispatchToMeasure extends MeasurementSettings {
  readonly id: string;
  readonly timezone: string;
  readonly startMs: number;
  readonly endMs: number | null;
  readonly notificationMs: number;
  readonly cancelledMs: number | null;
  /** Voided after its end. */
  readonly isVoid: boolean;
  readonly modificationNumber: number;
  /** A participant's own test. */
  readonly isSelfMade: boolean;
  readonly sites: readonly SiteToMeasure[];
}

/** Which sites of a dispatch are wanted: an account's, a single one, or all. */
export interface SiteFilter {
  readonly accountId?: string;
  readonly siteId?: string;
}

/** Another dispatch of a site. */
export interface OtherEvent {
  readonly siteId: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** An hour row, and the version of it that was read. */
export interface ReadRow extends HourRow {
  readonly rowVersion: string;
  /** Interval of the meter's newest readings when the row was read; null where none is known. */
  readonly readingSeconds: number | null;
}

/** A row as it was read last; null: it was not there. */
export interface KnownRow extends MeterKey {
  readonly hour: number;
  readonly rowVersion: string | null;
}

/** Stored readings of meters. */
export type ReadingRows = Pick<MeasurementReader, "reporting" | "rows">;

/** A dispatch that has no final result yet. */
export interface UnfinishedDispatch {
  readonly id: string;
  /** When it is over, or was cancelled; null: not known yet. */
  readonly endMs: number | null;
}

export interface MeasurementReader {
  findDispatch(id: string, filter: SiteFilter): Promise<DispatchToMeasure | null>;
  /**
   * Other dispatches of the same sites that meet the period; those voided, or cancelled before they started, are none.
   */
  otherEvents(
    dispatchId: string,
    period: { readonly fromMs: number; readonly toMs: number },
  ): Promise<readonly OtherEvent[]>;
  /** The meters that have readings in the hours `from` to `to`. */
  reporting(meters: readonly MeterKey[], from: number, to: number): Promise<ReadonlySet<number>>;
  /** Hour rows of the meters, hours `from` to `to` inclusive, in any order. */
  rows(meters: readonly MeterKey[], from: number, to: number): Promise<readonly ReadRow[]>;
  /** Those of the rows that were written since they were known. */
  changedRows(known: readonly KnownRow[]): Promise<readonly ReadRow[]>;
  /** The modification numbers of dispatches, by id. */
  modifications(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Dispatches that start by then and have no final result yet; participants' own tests get none. */
  unfinished(startingBy: Date): Promise<readonly UnfinishedDispatch[]>;
}

/**
 * A final result of a dispatch: everything was there, the wait for it was over, its inputs changed later, or the
 * results before it were withdrawn, with the dispatch voided.
 */
export interface FinalVersion {
  readonly version: number;
  readonly at: Date;
  readonly reason: "complete" | "overdue" | "corrected" | "withdrawn";
}

/** Final results. What a version holds never changes. */
export interface PerformanceStore {
  /** Whether nobody else finishes or corrects results; kept until the end of the transaction. */
  takeTurn(): Promise<boolean>;
  /** Oldest first. */
  versions(dispatchId: string): Promise<readonly FinalVersion[]>;
  add(dispatchId: string, version: FinalVersion, results: readonly SiteResult[]): Promise<void>;
  /** More results of a version that was added in the same transaction. */
  addResults(dispatchId: string, version: FinalVersion, results: readonly SiteResult[]): Promise<void>;
  /** Those results that differ from the latest that is kept of their site. */
  differing(dispatchId: string, results: readonly SiteResult[]): Promise<readonly SiteResult[]>;
  /** Sites with results that a newer version of the service stored, in a way that this one cannot read. */
  newerSites(dispatchId: string): Promise<ReadonlySet<string>>;
  /** Each site's result as of a version, in the order of the dispatch. */
  summaries(dispatchId: string, version: number, filter: SiteFilter): Promise<readonly SiteSummary[]>;
  result(dispatchId: string, version: number, siteId: string): Promise<SiteResult | null>;
  /** The same of several sites, in any order. */
  results(dispatchId: string, version: number, siteIds: readonly string[]): Promise<readonly SiteResult[]>;
}

/** Readings that touch a time of the past, by the number of their site. */
export interface LateSpan {
  readonly site: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A site of a dispatch whose inputs changed. */
export interface LateNote {
  readonly seq: number;
  readonly dispatchId: string;
  readonly siteId: string;
}

/** Notes of late readings: written before the readings are, settled once they are there. */
export interface LateReadings extends DispatchedBaselines {
  /** Notes the dispatches that would not see the readings by themselves; answers what is to be settled. */
  note(spans: readonly LateSpan[], now: Date): Promise<readonly number[]>;
  settle(notes: readonly number[], now: Date): Promise<void>;
  /** Settles what was noted before, by an upload that never ended. */
  settleAbandoned(notedBefore: Date, now: Date): Promise<void>;
  settledSince(dispatchIds: readonly string[], since: Date): Promise<readonly LateNote[]>;
  /**
   * Notes that nobody has seen to, of dispatches where none came after the one moment, or the first before the other.
   */
  due(quietSince: Date, waitingSince: Date): Promise<readonly LateNote[]>;
  handled(notes: readonly number[], now: Date): Promise<void>;
  /** Deletes what was seen to before. */
  forget(handledBefore: Date): Promise<void>;
}

export interface MeasurementPorts {
  readonly reader: MeasurementReader;
  readonly clock: Clock;
}

export interface TrackerPorts extends MeasurementPorts {
  readonly newId: NewId;
  readonly late: Pick<LateReadings, "settledSince">;
  readonly store: Pick<PerformanceStore, "versions">;
}
