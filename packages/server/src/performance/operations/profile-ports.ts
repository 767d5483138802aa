import type { LoadProfile, MeterKey, ProfileCut } from "@curtail/measure";
import type { BaselineSetting } from "../../portfolio/domain/measurement.js";

/** Whose load profiles are of: the sum of these meters of a site, in this order, cut in one way. */
export interface ProfileSource extends ProfileCut {
  /** As in telemetry. */
  readonly site: number;
  readonly meters: readonly number[];
}

/** Local days of a source, by number. */
export interface ProfileDays {
  readonly source: ProfileSource;
  readonly days: readonly number[];
}

/** Profiles by local day. */
export type LoadProfiles = ReadonlyMap<number, LoadProfile>;

/** Local days, both included. */
export interface DaySpan {
  readonly from: number;
  readonly to: number;
}

/** How baselines of a site are measured, by one program. */
export interface ProfiledProgram {
  readonly timezone: string;
  readonly baseline: BaselineSetting | null;
}

/** A site whose dispatches look back on its load. */
export interface ProfiledSite {
  readonly site: number;
  /** Those that a dispatch would measure. */
  readonly meters: readonly MeterKey[];
  /** In which it is enrolled; of a site that is in none, those of its latest dispatches. */
  readonly programs: readonly ProfiledProgram[];
}

/** The days of a span that a source has no profile of, though no late reading of them was noted. */
export type MissingDays = (source: ProfileSource, span: DaySpan) => readonly number[];

/** Makes load profiles, which are derived from telemetry: where there is none, baselines are computed from readings. */
export interface ProfileStore {
  /**
   * The next sites after the one numbered `after` that were dispatched before a moment; uploads that began before the first
   * dispatch of their site leave no note. `last` is the last site that was looked at, null if there was none.
   */
  sites(
    after: number,
    dispatchedBefore: Date,
  ): Promise<{ readonly sites: readonly ProfiledSite[]; readonly last: number | null }>;
  /** Those of the meters that have readings in these hours. */
  reporting(sites: readonly ProfiledSite[], hours: DaySpan): Promise<ReadonlySet<number>>;
  missing(sites: readonly number[], span: DaySpan): Promise<MissingDays>;
  /** Makes profiles in one transaction; returns how many, null while another process makes some. */
  make(wanted: readonly ProfileDays[]): Promise<number | null>;
  /** Deletes profiles of days before one. */
  forget(sites: readonly number[], beforeDay: number): Promise<void>;
}
