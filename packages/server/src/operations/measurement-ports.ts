import type { HourRow, MeterKey } from "@curtail/measure";
import type { BaselineSetting, MeasurementSettings } from "../domain/measurement.js";
import type { Clock, NewId } from "./ports.js";

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
  readonly modificationNumber: number;
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
}

/** A row as it was read last; null: it was not there. */
export interface KnownRow extends MeterKey {
  readonly hour: number;
  readonly rowVersion: string | null;
}

export interface MeasurementReader {
  findDispatch(id: string, filter: SiteFilter): Promise<DispatchToMeasure | null>;
  /** Other dispatches of the same sites that meet the period; those cancelled before they started are none. */
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
  /** Dispatches that start by then and have no final result yet. */
  unfinished(startingBy: Date): Promise<readonly string[]>;
}

export interface MeasurementPorts {
  readonly reader: MeasurementReader;
  readonly clock: Clock;
}

export type TrackerPorts = MeasurementPorts & { readonly newId: NewId };
