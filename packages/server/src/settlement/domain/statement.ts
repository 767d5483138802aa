import type { Actor } from "../../access/domain/account.js";
import type { SharedIntervals, SharedLine } from "../../performance/domain/shared-energy.js";
import type { RulesVersion } from "../../portfolio/domain/rules.js";
import type { CapacityDays } from "./capacity-days.js";
import type { ProgramTerms } from "./terms.js";

export type LineKind = "capacity" | "energy" | "penalty" | "cap";

/** A line of a statement with everything that its amount is computed from. Numbers are decimal text. */
export interface StatementLine {
  readonly kind: LineKind;
  readonly dispatchId: string | null;
  readonly startMs: number | null;
  /** Version of the dispatch's result. */
  readonly version: number | null;
  readonly quantity: string | null;
  readonly unit: "kW" | "kWh" | null;
  readonly price: string | null;
  readonly factor: string | null;
  /** Negative: the site pays. */
  readonly amount: string;
  readonly words: string;
  /** Dispatches that claim the same energy; absent without any. */
  readonly sharedWith?: readonly SharedLine[];
}

/** What a site delivered in a dispatch, as far as a statement uses it. Energies are kWh, as in the result. */
export interface SettledResult {
  readonly dispatchId: string;
  readonly startMs: number;
  /** null: open. */
  readonly endMs: number | null;
  /** null: not final yet. */
  readonly version: number | null;
  /** Whether the dispatch was cancelled while it ran: nobody failed to deliver. */
  readonly isCancelled: boolean;
  readonly netKwh: number | null;
  readonly flooredKwh: number | null;
  readonly cappedKwh: number | null;
  readonly committedKwh: number | null;
  readonly performance: number | null;
  /** Why there is no baseline; null if there is one. */
  readonly reason: string | null;
  /** Whether no reading at all arrived: nothing counts as delivered. */
  readonly isSilent: boolean;
  /** When the dispatch was issued; absent in statements of before it was recorded. */
  readonly issuedMs?: number;
  /** Whether it counts as not delivered: readings of the site are missing, or an operator decided so; absent: no. */
  readonly isMissing?: boolean;
  /** Why an operator decided how it counts; absent: nothing was decided. */
  readonly decided?: string;
  /** Whether an operator decided that it is not judged: it has no part in the factor and no penalty; absent: no. */
  readonly isUnjudged?: boolean;
  /** What is counted where other dispatches are paid for some of its intervals; absent: all of it. */
  readonly counted?: CountedIntervals;
  /** Intervals that other dispatches claim, in order of time; absent: none. */
  readonly shared?: readonly SharedIntervals[];
}

/** The 30-second intervals of a dispatch that are paid in it, and what was delivered in them, in kWh. */
export interface CountedIntervals {
  readonly intervals: number;
  readonly expected: number;
  readonly netKwh: number | null;
  readonly flooredKwh: number | null;
  readonly cappedKwh: number | null;
}

/** Amounts by kind, and their sum, as decimal text. */
export type Amounts = Readonly<Record<LineKind | "total", string>>;

/** What a statement settles of a site in a program. */
export interface SiteToSettle {
  readonly siteId: string;
  readonly name: string;
  /** Whether the site is enrolled at the end of the month, and its commitment then. */
  readonly isEnrolled: boolean;
  readonly commitmentKw: number | null;
  /** Commitments by days; absent: that of the end of the month counts. */
  readonly capacity?: readonly CapacityDays[];
  /** In order of start. */
  readonly results: readonly SettledResult[];
}

/** The part of a statement about a site in a program. */
export interface SettledSite extends SiteToSettle {
  readonly programId: string;
  readonly currency: string;
  readonly amounts: Amounts;
  readonly lines: readonly StatementLine[];
}

/** What is stored of a site in a version. */
export type StoredSite = Omit<SettledSite, "programId" | "siteId" | "name">;

/** A program of a statement, with the terms that were used. */
export interface SettledProgram extends Pick<ProgramTerms, "fromMonth" | "terms"> {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  /** The rules of the month (G64); absent in statements of before it was recorded. */
  readonly rulesVersion?: RulesVersion;
}

export const rulesOf = ({ rulesVersion = 1 }: Pick<SettledProgram, "rulesVersion">): RulesVersion => rulesVersion;

/** Amounts in a currency. */
export interface Total extends Amounts {
  readonly currency: string;
}

/** A dispatch without a final result. */
export interface WaitingDispatch {
  readonly dispatchId: string;
  readonly programId: string;
  readonly startMs: number;
}

/** What differs from the version before: a line, a site (without a kind), or the terms of a program (without a site). */
export interface LineChange {
  readonly programId: string;
  readonly siteId: string | null;
  readonly siteName: string | null;
  readonly kind: LineKind | null;
  readonly dispatchId: string | null;
  readonly currency: string;
  /** Amounts; null: there was, or is, no such line. */
  readonly from: string | null;
  readonly to: string | null;
  readonly words: string;
}

/** A stored version; it never changes. */
export interface StatementVersion {
  readonly version: number;
  readonly at: Date;
  readonly reason: "made" | "restated" | "approved";
  /** Who approved it; null: the service made it. */
  readonly actor: Actor | null;
  readonly note: string | null;
  readonly changes: readonly LineChange[];
  /** How many changes there are, listed or not. */
  readonly changeCount: number;
  /** Lines whose amount is the same, but not what it is traced to; and how many there are. */
  readonly traces: readonly LineChange[];
  readonly traceCount: number;
  readonly programs: readonly SettledProgram[];
  readonly totals: readonly Total[];
}

export interface Statement {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  /** `YYYY-MM`. */
  readonly month: string;
  /** When the month ends in the last of the programs' time zones. */
  readonly endsAt: Date;
  readonly waiting: readonly WaitingDispatch[];
}

/** The version that applies: the approved one, or the newest. */
export const standingStatement = <V extends Pick<StatementVersion, "reason">>(versions: readonly V[]): V | undefined =>
  versions.findLast(({ reason }) => reason === "approved") ?? versions.at(-1);

/** `provisional`: the month is not over, or results are not final. */
export type StatementState = "provisional" | "complete" | "approved";

export const stateOf = (
  { endsAt, waiting }: Pick<Statement, "endsAt" | "waiting">,
  isApproved: boolean,
  now: Date,
): StatementState => {
  if (isApproved) return "approved";
  return now < endsAt || waiting.length > 0 ? "provisional" : "complete";
};

declare module "../../access/domain/audit.js" {
  interface Audited {
    statement: {
      action: "statement.make" | "statement.approve";
      state: Pick<Statement, "id" | "accountId" | "month"> & { readonly version: number; readonly note?: string };
    };
  }
}

declare module "../../platform/journal.js" {
  interface JournalKinds {
    /** About a statement and the number of its version. */
    statement: "statement.version";
  }
}
