import type { Actor } from "../../access/domain/account.js";
import type { StandingDispatch, StandingReader } from "../../performance/operations/final/standing-results.js";
import type { LivePerformance } from "../../performance/operations/live/live-performance.js";
import type { Clock } from "../../platform/clock.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { DispatchAtEnd, Shift } from "../domain/shift.js";
import type {
  AlarmSums,
  DrawnReport,
  ReportVersion,
  Section,
  ShiftAlarms,
  ShiftCall,
  ShiftChange,
  ShiftReport,
  ShiftTexts,
  TitledAlarms,
} from "../domain/shift-report.js";

/** A dispatch that may belong to a shift. */
export interface ShiftCandidate extends DispatchAtEnd {
  readonly id: string;
  readonly modificationNumber: number;
  readonly issued: boolean;
}

/** The rest of what a report says of a dispatch. */
export interface DispatchFacts {
  readonly standing: StandingDispatch;
  readonly sites: number;
  readonly commitmentKw: number;
}

export interface AsOf {
  readonly id: string;
  readonly modificationNumber: number;
}

export interface CountedAccounts {
  readonly accounts: number;
  /** null: nobody is notified of a record. */
  readonly accountsNotified: number | null;
}

/** Counted by cause and dispatch, before it has a title. */
export interface CountedAlarms
  extends Omit<ShiftAlarms, "title" | "acknowledgedBy" | keyof TitledAlarms>,
    TitledAlarms {
  readonly acknowledgedBy: readonly Actor[];
}

export interface ShiftReader {
  /** Those that were changed in the shift, or overlap it: by their start. */
  candidates(shift: Shift): Promise<readonly ShiftCandidate[]>;
  facts(dispatchIds: readonly string[]): Promise<ReadonlyMap<string, DispatchFacts>>;
  /** Who was notified of these modifications before a time. */
  notified(dispatches: readonly AsOf[], by: Date): Promise<ReadonlyMap<string, CountedAccounts>>;
  /** Dispatches that start then, and are not cancelled. */
  starting(period: Shift, limit: number): Promise<Section<ShiftCandidate>>;
  alarms(shift: Shift, limit: number): Promise<Section<CountedAlarms> & AlarmSums>;
  /** `actorName`: of then, as far as it was recorded. */
  calls(shift: Shift, limit: number): Promise<Section<ShiftCall>>;
  /** What people did, without their names; not the actions that begin like these. */
  changes(shift: Shift, except: readonly string[], limit: number): Promise<Section<Omit<ShiftChange, "actorName">>>;
}

export interface KeptReport extends Shift {
  readonly id: string;
  readonly version: number;
  readonly summary: string;
  readonly dispatches: number;
  readonly openAlarms: number;
  readonly keptAt: Date;
  readonly keptBy: Actor;
  readonly changedAt: Date;
  readonly changedBy: Actor;
}

export interface ShiftReportStore {
  /** Others wait to keep or edit a report until the end of the transaction. */
  takeTurn(): Promise<void>;
  /** The one that was kept last. */
  newest(): Promise<(Shift & { readonly id: string }) | null>;
  insert(id: string, drawn: DrawnReport, at: Date): Promise<void>;
  addVersion(id: string, version: ReportVersion & { readonly texts: ShiftTexts }): Promise<void>;
  /** `version`: null for the newest. null: there is no such report or version. */
  find(id: string, version: number | null): Promise<ShiftReport | null>;
  list(page: PageRequest): Promise<Page<KeptReport>>;
}

export interface ShiftDrawingPorts {
  readonly shifts: ShiftReader;
  readonly standing: StandingReader;
  readonly live: LivePerformance;
  readonly clock: Clock;
}
