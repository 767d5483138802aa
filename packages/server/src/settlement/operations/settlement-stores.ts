import type { Actor } from "../../access/domain/account.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { EnrolledPeriod } from "../domain/enrolled-period.js";
import type {
  SettledProgram,
  SettledSite,
  Statement,
  StatementState,
  StatementVersion,
  Total,
  WaitingDispatch,
} from "../domain/statement.js";
import type { ProgramTerms, Terms } from "../domain/terms.js";

/** A change of a program's terms; null: they are deleted. */
export interface TermsChange extends Omit<ProgramTerms, "terms"> {
  readonly terms: Terms | null;
  readonly actor: Actor;
}

/** Terms of programs. Nothing is overwritten: the newest of a month holds. */
export interface TermsStore {
  add(change: TermsChange): Promise<void>;
  find(programId: string, fromMonth: string): Promise<ProgramTerms | null>;
  /** In order of their months. */
  list(programId: string, page: PageRequest): Promise<Page<ProgramTerms>>;
  /** The programs that have terms in a month, by name. */
  ofMonth(month: string): Promise<readonly SettledProgram[]>;
}

/** The enrolments of a site in a program, in order of time. */
export interface SiteEnrolments {
  readonly programId: string;
  readonly siteId: string;
  readonly accountId: string;
  readonly name: string;
  readonly periods: readonly EnrolledPeriod[];
}

export interface EnrolmentHistory {
  /** The enrolments in programs, of an account or of all, program by program. */
  periods(
    programs: ReadonlyArray<Pick<SettledProgram, "id" | "name">>,
    accountId: string | null,
  ): Promise<readonly SiteEnrolments[]>;
}

/** A site of a version, with what it comes to. */
export interface SiteKey extends Pick<SettledSite, "programId" | "siteId" | "name"> {
  readonly currency: string;
  readonly total: string;
}

/** A site whose lines differ from the newest version, and what it was there; null: it was not there. */
export interface DifferingSite extends Pick<SettledSite, "programId" | "siteId"> {
  readonly before: SettledSite | null;
}

/** What a statement was made from; it is made again when this changes. */
export interface Inputs {
  readonly endsAt: Date;
  readonly waiting: readonly WaitingDispatch[];
  /** When dispatches of other months would matter; null: never. */
  readonly reach: OpenEndedPeriod | null;
}

/** A period in Unix milliseconds; `toMs` null: without an end. */
export interface OpenEndedPeriod {
  readonly fromMs: number;
  readonly toMs: number | null;
}

export interface ListedStatement extends Statement {
  readonly state: StatementState;
  /** The version that applies, and the newest. */
  readonly version: number;
  readonly newestVersion: number;
  readonly totals: readonly Total[];
}

export interface StatementFilter {
  readonly accountId: string | null;
  /** The first and the last month; null: all. */
  readonly fromMonth: string | null;
  readonly toMonth: string | null;
  readonly state: StatementState | null;
}

/** A page of a version's sites in one program, by name. */
export interface SitesRequest {
  readonly programId: string;
  readonly version: number;
  /** The last site of the page before; null: the first page. */
  readonly after: { readonly name: string; readonly siteId: string } | null;
}

/** Statements. A stored version never changes; only sites that differ from the version before are stored with it. */
export interface StatementStore {
  /** An account's own, or that of any for null. */
  find(id: string, accountId: string | null): Promise<Statement | null>;
  /** Locks the statement, which is created if it is new. */
  take(statement: Pick<Statement, "id" | "accountId" | "month">): Promise<string>;
  lock(id: string): Promise<Statement | null>;
  list(filter: StatementFilter, now: Date, page: PageRequest): Promise<Page<ListedStatement>>;
  /** Oldest first. */
  versions(id: string): Promise<readonly StatementVersion[]>;
  /** Locks the statements from a month on: none is approved meanwhile. */
  lockMonths(fromMonth: string): Promise<void>;
  /** The newest month from one to before another with an approved statement; null: none has. */
  newestApproved(fromMonth: string, untilMonth: string): Promise<string | null>;
  /** Number of the newest version; 0 without any. */
  newestOf(accountId: string, month: string): Promise<number>;
  addVersion(id: string, version: StatementVersion): Promise<void>;
  addSites(id: string, version: number, sites: readonly SettledSite[]): Promise<void>;
  /** Records that sites are no longer in the statement. */
  removeSites(id: string, version: number, sites: readonly SiteKey[]): Promise<void>;
  /** Accounts with a statement of the month, or with a site that a program dispatched in the period. */
  accountsOf(
    month: string,
    programIds: readonly string[],
    period: { readonly fromMs: number; readonly toMs: number },
  ): Promise<readonly string[]>;
  differing(id: string, sites: readonly SettledSite[]): Promise<readonly DifferingSite[]>;
  /** The sites of the newest version. */
  siteKeys(id: string): Promise<readonly SiteKey[]>;
  sites(id: string, request: SitesRequest): Promise<readonly SettledSite[]>;
  /** Ids of the sites of each statement, in any version. */
  siteIds(statementIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  noteInputs(id: string, inputs: Inputs): Promise<void>;
}

/** What statements are made from, and how they change. */
export interface ChangedInputs {
  /** They were issued, changed, cancelled or voided, or have another result. */
  readonly dispatchIds: readonly string[];
  /** Their terms were set or deleted. */
  readonly programIds: readonly string[];
  /** Whether rules were adopted. */
  readonly hasRules: boolean;
  /** They were enrolled or withdrawn. */
  readonly siteIds: readonly string[];
  /** When the first of it changed. */
  readonly since: Date;
  /** The number of the newest change. */
  readonly seq: number;
}

/** Statements to make again. */
export interface DueStatements {
  /** Makes the statements due that changes concern: at once, or twenty seconds after they were last made. */
  mark(changes: ChangedInputs): Promise<void>;
  /** Makes those due that lack something that was stored since they were made; returns whether there are any. */
  rebuild(): Promise<boolean>;
  /** Takes some that are due; another process may take them again a minute later. */
  take(now: Date): Promise<readonly DueStatement[]>;
  /** Records that a statement took in what had changed by then; what was marked since makes it due again. */
  settled(due: DueStatement, now: Date): Promise<void>;
}

export interface DueStatement {
  readonly id: string;
  readonly accountId: string;
  readonly month: string;
  /** The newest change that concerns it; null: its month is over since. */
  readonly dueSeq: number | null;
}

export interface SettlementStores {
  readonly dueStatements: DueStatements;
  readonly terms: TermsStore;
  readonly statements: StatementStore;
  readonly enrolments: EnrolmentHistory;
}
