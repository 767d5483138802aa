import type { FirstContact } from "../../platform/alarm-ports.js";

/** Alarms that stand, of one dispatch and cause, or of one kind without a dispatch. Counts are of those not shelved, but `shelved`. */
export interface CountedGroup {
  readonly cause: string;
  /** The first of its kinds. */
  readonly kind: string;
  readonly dispatchId: string | null;
  readonly alarms: number;
  /** Acknowledged by nobody. */
  readonly open: number;
  readonly shelved: number;
  readonly shelvedUntil: Date | null;
  readonly accounts: number;
  /** The account of the first alarm that has one. */
  readonly firstAccountId: string | null;
  /** null: all are shelved. */
  readonly since: Date | null;
  readonly reasons: Readonly<Record<string, number>>;
  /** The last acknowledgement. */
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  /** null: nobody, or several. */
  readonly assignedTo: string | null;
}

export interface CountedGroups {
  /** The most urgent first by what the database knows, so that what is left out is not urgent. */
  readonly groups: readonly CountedGroup[];
  /** Of all groups, also those left out. */
  readonly totals: {
    readonly groups: number;
    readonly open: number;
    readonly acknowledged: number;
    readonly shelved: number;
    readonly shelvedUntil: Date | null;
  };
}

export interface GroupedDispatch {
  readonly id: string;
  readonly programId: string;
  readonly programName: string;
  readonly timezone: string;
  readonly start: Date;
  readonly end: Date | null;
  readonly authorized: boolean;
  readonly commitmentKw: number;
}

/** A site of a dispatch that has a cause. */
export interface CauseSite {
  readonly siteId: string;
  readonly accountId: string;
  readonly commitmentKw: number;
}

export interface SitesOfCause {
  readonly dispatchId: string;
  readonly cause: string;
  readonly sites: readonly CauseSite[];
}

export interface AlarmGroupReader {
  counted(now: Date): Promise<CountedGroups>;
  dispatches(ids: readonly string[]): Promise<readonly GroupedDispatch[]>;
  /** The sites that alarms of accounts and VENs concern, by cause; of alarms that are not shelved. */
  sites(dispatchIds: readonly string[], now: Date): Promise<readonly SitesOfCause[]>;
  /** The sites that cannot be measured. */
  silent(dispatchIds: readonly string[], now: Date): Promise<readonly SitesOfCause[]>;
  callees(accountIds: readonly string[]): Promise<ReadonlyMap<string, Callee>>;
}

/** An account, and whom to call there. */
export interface Callee {
  readonly accountName: string;
  readonly contact: FirstContact | null;
}
