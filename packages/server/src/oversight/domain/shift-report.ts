import type { Actor } from "../../access/domain/account.js";
import type { Shift, StateAtEnd } from "./shift.js";

/** A part of a report that is cut: the count is that of all. */
export interface Section<T> {
  readonly count: number;
  readonly items: readonly T[];
}

/** The most items of each section. */
export const MOST = { dispatches: 50, alarms: 50, calls: 100, changes: 60, next: 20, names: 5 } as const;

/** Characters of a note of a call: a page of print has room for no more. */
export const NOTE_CHARACTERS = 500;

/** A dispatch as it was at the end of a shift, with who was notified of it by then. */
export interface ReportedDispatch {
  readonly dispatchId: string;
  readonly programId: string;
  readonly programName: string;
  readonly timezone: string;
  readonly test: boolean;
  readonly start: Date;
  readonly end: Date | null;
  readonly sites: number;
  readonly commitmentKw: number;
  /** null: not counted. */
  readonly accounts: number | null;
  readonly accountsNotified: number | null;
}

export interface ShiftDispatch extends ReportedDispatch {
  readonly isRecord: boolean;
  readonly state: StateAtEnd;
  readonly issued: boolean;
  readonly changes: number;
  readonly deliveredKw: number | null;
  readonly deliveredKwh: number | null;
  readonly performance: number | null;
  readonly result: "none" | "pending" | "final" | "approved";
}

/** What a title says, for readers of other languages. */
export interface TitledAlarms {
  readonly cause: string;
  readonly kind: string;
  readonly programName: string | null;
  readonly accounts: number;
}

/** Alarms that stood at some time of a shift, with the same dispatch and cause. */
export interface ShiftAlarms extends Partial<TitledAlarms> {
  readonly title: string;
  readonly dispatchId: string | null;
  readonly alarms: number;
  readonly raised: number;
  readonly acknowledged: number;
  readonly acknowledgedBy: readonly string[];
  readonly cleared: number;
  readonly open: number;
  readonly openUnacknowledged: number;
  readonly shelved: number;
  readonly assignedTo: string | null;
  readonly since: Date;
}

/** Of all groups. */
export type AlarmSums = Pick<
  ShiftAlarms,
  "raised" | "acknowledged" | "cleared" | "open" | "openUnacknowledged" | "shelved"
>;

export interface ShiftCall {
  readonly at: Date;
  readonly dispatchId: string;
  readonly programName: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly person: string;
  readonly note: string;
  readonly actor: Actor;
  readonly actorName: string | null;
}

export interface ShiftChange {
  readonly action: string;
  readonly actor: Actor;
  readonly actorName: string | null;
  readonly actorAccountName: string | null;
  readonly count: number;
  readonly subjects: readonly string[];
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** What a report is drawn up from. It is stored as JSON: a member that another version adds is optional. */
export interface DrawnReport extends Shift {
  readonly drawnAt: Date;
  readonly dispatches: Section<ShiftDispatch>;
  readonly alarms: Section<ShiftAlarms> & AlarmSums;
  readonly calls: Section<ShiftCall>;
  readonly changes: Section<ShiftChange>;
  readonly next: Section<ReportedDispatch>;
}

/** What a person writes: first of all, then about each section. */
export interface ShiftTexts {
  readonly summary: string;
  readonly dispatches: string;
  readonly alarms: string;
  readonly calls: string;
  readonly changes: string;
  readonly next: string;
}

export const NO_TEXTS: ShiftTexts = { summary: "", dispatches: "", alarms: "", calls: "", changes: "", next: "" };

/** Texts after an edit; the same object if it changes none. */
export const edited = (before: ShiftTexts, edit: Partial<ShiftTexts>): ShiftTexts => {
  const after = { ...before, ...edit };
  const names = Object.keys(NO_TEXTS) as Array<keyof ShiftTexts>;
  return names.every((name) => after[name] === before[name]) ? before : after;
};

export interface ReportVersion {
  readonly version: number;
  readonly at: Date;
  readonly actor: Actor;
}

/** A report that was kept, with one of its versions. */
export interface ShiftReport {
  readonly id: string;
  readonly drawn: DrawnReport;
  readonly version: number;
  readonly texts: ShiftTexts;
  /** Oldest first. */
  readonly versions: readonly ReportVersion[];
}

/** Edits of a report: more are no correction any more. */
export const MOST_VERSIONS = 200;

declare module "../../access/domain/audit.js" {
  interface Audited {
    shift_report: {
      action: "shift_report.keep" | "shift_report.change";
      state: {
        readonly id: string;
        readonly fromTime: Date;
        readonly toTime: Date;
        readonly version: number;
      };
    };
  }
}
