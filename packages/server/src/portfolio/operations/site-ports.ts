import type { Page, PageRequest } from "../../platform/page.js";
import type { Period } from "../../platform/period.js";
import type { Enrolment, Program } from "../domain/program.js";
import type { AvailabilityBlock } from "../domain/schedule.js";
import type { Meter, Site } from "../domain/site.js";

/** Which sites a list holds; null: all. */
export interface SiteFilter {
  readonly accountId: string | null;
  readonly dispatchGroup: string | null;
  /** In the name, the owner's identifier or the id, ignoring case. */
  readonly search: string | null;
}

export interface SiteOfAccount {
  readonly site: Site;
  readonly accountName: string;
}

/** A site as far as a dispatch that calls it needs it. */
export interface CallableSite extends Pick<Site, "id" | "accountId" | "name" | "customerLocationId" | "dispatchGroup"> {
  /** Its account is. */
  readonly isDisabled: boolean;
}

export interface SiteStore {
  insert(site: Site): Promise<void>;
  /** `within`: an account whose sites alone are found; all unless given. */
  find(id: string, within?: string | null): Promise<Site | null>;
  lock(id: string): Promise<Site | null>;
  save(site: Site): Promise<void>;
  list(accountId: string, page: PageRequest): Promise<Page<Site>>;
  /** Over all accounts. */
  search(filter: SiteFilter, page: PageRequest): Promise<Page<SiteOfAccount>>;
  ofAccount(accountId: string): Promise<readonly Site[]>;
  /** Ids of the account's sites whose data people see on pages. */
  displayed(accountId: string): Promise<ReadonlySet<string>>;
  callable(ids: readonly string[]): Promise<readonly CallableSite[]>;
  /** The same, locked in order, so that availability blocks and dispatches never pass each other unseen. */
  lockCallable(ids: readonly string[]): Promise<readonly CallableSite[]>;
  insertMeter(siteId: string, meter: Meter, createdAt: Date): Promise<void>;
  lockMeter(id: string): Promise<(Meter & { readonly accountId: string }) | null>;
  saveMeter(meter: Meter): Promise<void>;
}

/** An enrolment with what is known of its site. */
export interface EnrolledSite {
  readonly enrolment: Enrolment;
  readonly siteName: string;
  readonly dispatchGroup: string;
  readonly accountId: string;
  readonly accountName: string;
}

/** An enrolment with what is known of its program. */
export interface SiteEnrolment {
  readonly enrolment: Enrolment;
  readonly programName: string;
  readonly timezone: string;
}

export interface ProgramStore {
  insert(program: Program): Promise<void>;
  /** The service's own program, of participants' test dispatches (G15); no other method knows it. */
  testProgram(): Promise<Program>;
  find(id: string): Promise<Program | null>;
  lock(id: string): Promise<Program | null>;
  save(program: Program): Promise<void>;
  list(page: PageRequest): Promise<Page<Program>>;
  named(names: readonly string[]): Promise<readonly Program[]>;
  enrol(enrolment: Enrolment): Promise<void>;
  withdraw(programId: string, siteId: string): Promise<Enrolment | null>;
  findEnrolment(programId: string, siteId: string): Promise<Enrolment | null>;
  listEnrolments(programId: string, page: PageRequest): Promise<Page<EnrolledSite>>;
  listEnrolmentsOfSite(siteId: string, page: PageRequest): Promise<Page<SiteEnrolment>>;
  enrolled(programId: string): Promise<readonly Enrolment[]>;
  /** The largest commitment of each site over its enrolments, by site id. */
  largestCommitments(siteIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The longest cut-off of the programs a site is enrolled in; 0 where it is in none. */
  longestCutoffSeconds(siteId: string): Promise<number>;
}

export interface ScheduleStore {
  /** Stores a block; the same block again is one block, and the stored one is answered. */
  insert(block: AvailabilityBlock): Promise<void>;
  findSame(siteId: string, period: Period): Promise<AvailabilityBlock | null>;
  ofSites(siteIds: readonly string[], endingAfter: Date): Promise<readonly AvailabilityBlock[]>;
  list(siteId: string, page: PageRequest): Promise<Page<AvailabilityBlock>>;
  /** Only of a site of the account `within`, unless it is null. */
  remove(id: string, within: string | null): Promise<AvailabilityBlock | null>;
}
