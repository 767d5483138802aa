import type { Page, PageRequest } from "../../platform/page.js";
import type { SiteIdentity } from "../domain/near-site.js";
import type { Enrolment, Program } from "../domain/program.js";
import type { AvailabilityBlock, NewBlock } from "../domain/schedule.js";
import type { Meter, Site } from "../domain/site.js";
import type { RulesStore } from "./rules.js";

/** Stores of sites, programs and enrolments. */
export interface PortfolioStores {
  readonly sites: SiteStore;
  readonly programs: ProgramStore;
  readonly schedule: ScheduleStore;
  readonly rules: RulesStore;
}

/** Filter of a list; null: no restriction. */
interface SiteFilter {
  readonly accountId: string | null;
  readonly dispatchGroup: string | null;
  /** Whether it has coordinates. */
  readonly located: boolean | null;
  /** Matches the name, the owner's identifier or the id, ignoring case. */
  readonly search: string | null;
}

export interface SiteOfAccount {
  readonly site: Site;
  readonly accountName: string;
}

/** What dispatching a site needs to know about it. */
export interface DispatchableSite
  extends Pick<Site, "id" | "accountId" | "name" | "customerLocationId" | "dispatchGroup" | "isSimulated"> {
  /** Whether its account is disabled. */
  readonly isDisabled: boolean;
}

/** What may name a site. */
interface SiteTexts {
  readonly names: readonly string[];
  readonly customerLocationIds: readonly string[];
}

/** A meter as it is added to a site. */
export interface AddedMeter extends Meter {
  readonly siteId: string;
  readonly createdAt: Date;
}

/** A meter of an account that is about to change. */
export interface LockedMeter extends Meter {
  readonly accountId: string;
  readonly hasReadings: boolean;
}

export interface SiteStore {
  /** Sites with their meters, in their order. */
  insert(sites: readonly Site[]): Promise<void>;
  /** `within` limits it to sites of an account; default: all. */
  find(id: string, within?: string | null): Promise<Site | null>;
  lock(id: string): Promise<Site | null>;
  /** Those that exist, in order of their ids, so that no two requests wait for each other. */
  lockAll(ids: readonly string[]): Promise<readonly Site[]>;
  save(sites: readonly Site[]): Promise<void>;
  list(accountId: string, page: PageRequest): Promise<Page<Site>>;
  /** Across accounts. */
  search(filter: SiteFilter, page: PageRequest): Promise<Page<SiteOfAccount>>;
  ofAccount(accountId: string): Promise<readonly Site[]>;
  /** Those of the accounts that have one of the names or identifiers. */
  named(accountIds: readonly string[], texts: SiteTexts): Promise<readonly Site[]>;
  identitiesOf(accountIds: readonly string[]): Promise<ReadonlyArray<SiteIdentity & { readonly accountId: string }>>;
  /** Ids of the account's sites whose data is visible on pages. */
  displayed(accountId: string): Promise<ReadonlySet<string>>;
  findDispatchable(ids: readonly string[]): Promise<readonly DispatchableSite[]>;
  /** The same, locked in order, so that concurrent availability blocks and dispatches see each other. */
  lockDispatchable(ids: readonly string[]): Promise<readonly DispatchableSite[]>;
  insertMeters(meters: readonly AddedMeter[]): Promise<void>;
  lockMeters(ids: readonly string[]): Promise<readonly LockedMeter[]>;
  /** Names of the other meters of its site. */
  metersBeside(id: string): Promise<readonly string[]>;
  saveMeters(meters: readonly Meter[]): Promise<void>;
}

/** An enrolment with data of its site. */
export interface EnrolledSite {
  readonly enrolment: Enrolment;
  readonly siteName: string;
  readonly dispatchGroup: string;
  readonly accountId: string;
  readonly accountName: string;
}

/** An enrolment with data of its program. */
export interface SiteEnrolment {
  readonly enrolment: Enrolment;
  readonly programName: string;
  readonly timezone: string;
}

export interface ProgramStore {
  insert(program: Program): Promise<void>;
  /** The built-in program of participants' test dispatches (G15); no other method returns it. */
  testProgram(): Promise<Program>;
  find(id: string): Promise<Program | null>;
  lock(id: string): Promise<Program | null>;
  lockAll(ids: readonly string[]): Promise<readonly Program[]>;
  save(program: Program): Promise<void>;
  list(page: PageRequest): Promise<Page<Program>>;
  named(names: readonly string[]): Promise<readonly Program[]>;
  /** Of all that operators made. */
  names(): Promise<readonly string[]>;
  /** Enrols sites, each at most once in a program, or changes their enrolments, which keep their times. */
  enrol(enrolments: readonly Enrolment[], at: Date): Promise<void>;
  withdraw(programId: string, siteId: string): Promise<Enrolment | null>;
  findEnrolment(programId: string, siteId: string): Promise<Enrolment | null>;
  listEnrolments(programId: string, page: PageRequest): Promise<Page<EnrolledSite>>;
  listEnrolmentsOfSite(siteId: string, page: PageRequest): Promise<Page<SiteEnrolment>>;
  enrolled(programId: string): Promise<readonly Enrolment[]>;
  /** Those of the sites. */
  enrolledOf(programIds: readonly string[], siteIds: readonly string[]): Promise<readonly Enrolment[]>;
  /** The largest commitment of each site among its enrolments, by site id. */
  largestCommitments(siteIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The longest cut-off of the programs a site is enrolled in; 0 without enrolments. */
  longestCutoffSeconds(siteId: string): Promise<number>;
  /** The same of several sites, by site id; sites without enrolments are absent. */
  longestCutoffs(siteIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Which blocks are listed; null: no restriction. */
interface BlockFilter {
  readonly start: Date | null;
  readonly end: Date | null;
  readonly siteId: string | null;
}

export interface ScheduleStore {
  /** Stores a block; if the same block exists, returns that one. */
  insert(block: AvailabilityBlock): Promise<void>;
  findSame(block: NewBlock): Promise<AvailabilityBlock | null>;
  ofSites(siteIds: readonly string[], endingAfter: Date): Promise<readonly AvailabilityBlock[]>;
  list(siteId: string, page: PageRequest): Promise<Page<AvailabilityBlock>>;
  /** The blocks of an account's sites that overlap a period, or of one of them. */
  listOfAccount(accountId: string, filter: BlockFilter, page: PageRequest): Promise<Page<AvailabilityBlock>>;
  /** `within` limits it to sites of an account; null: all. */
  remove(id: string, within: string | null): Promise<AvailabilityBlock | null>;
}
