import type { Account, Actor, Contact } from "../domain/account.js";
import type { Alarm, AlarmKind, Condition } from "../domain/alarm.js";
import type { ApiKey, Environment } from "../domain/api-key.js";
import type { Delivery, Notice, Webhook } from "../domain/delivery.js";
import type { Dispatch, DispatchPhase } from "../domain/dispatch.js";
import type { Evidence, EvidencePlace, Revealed } from "../domain/evidence.js";
import type { Period } from "../domain/period.js";
import type { Enrolment, Program } from "../domain/program.js";
import type { Result } from "../domain/refusal.js";
import type { AvailabilityBlock } from "../domain/schedule.js";
import type { Session, Standing } from "../domain/session.js";
import type { Meter, Site } from "../domain/site.js";
import type { User } from "../domain/user.js";
import type { Ven, VenCertificate, VenClaim, VenEvent, VenIdentity } from "../domain/ven.js";
import type { RequestLogStore } from "./log-requests.js";
import type { LateReadings, PerformanceStore } from "./measurement-ports.js";

/** The database's time, which decides what is due. */
export interface Clock {
  now(): Date;
}

/** Makes opaque, unguessable ids: `dis_…`, `site_…`. */
export type NewId = (prefix: string) => string;

export interface PageRequest<C = number> {
  /** Cursor of the page before; null for the first page. */
  readonly after: C | null;
  readonly limit: number;
}

export interface Page<T, C = number> {
  readonly items: readonly T[];
  readonly next: C | null;
}

export interface AccountStore {
  insert(account: Account): Promise<void>;
  find(id: string): Promise<Account | null>;
  /** Locks the row until the end of the transaction. */
  lock(id: string): Promise<Account | null>;
  save(account: Account): Promise<void>;
  list(page: PageRequest): Promise<Page<Account>>;
  named(names: readonly string[]): Promise<readonly Account[]>;
  /** No account is made or changed by anybody else until the end of the transaction. */
  holdAll(): Promise<void>;
}

export interface ContactStore {
  insert(contact: Contact): Promise<void>;
  /** Only of the account `within`, unless it is null. */
  remove(id: string, within: string | null): Promise<Contact | null>;
  list(accountId: string, page: PageRequest): Promise<Page<Contact>>;
}

/** What a key check needs to know. */
export interface KeyRecord {
  readonly key: ApiKey;
  readonly secretHash: Buffer | null;
  readonly accountDisabled: boolean;
}

export interface KeyStore {
  insert(key: ApiKey, claimTokenHash: Buffer): Promise<void>;
  /** The key that a link still waits to reveal, locked. */
  findUnclaimed(claimTokenHash: Buffer, now: Date): Promise<ApiKey | null>;
  claim(id: string, secretHash: Buffer, now: Date): Promise<void>;
  find(id: string): Promise<KeyRecord | null>;
  /** Only of the account `within`, unless it is null. */
  revoke(id: string, within: string | null, now: Date): Promise<ApiKey | null>;
  /** How many are active, or wait to be claimed. */
  countStanding(accountId: string, environment: Environment, now: Date): Promise<number>;
  list(accountId: string, page: PageRequest): Promise<Page<ApiKey>>;
  touch(ids: readonly string[], now: Date): Promise<void>;
}

/** Which sites a list holds; null: all. */
export interface SiteFilter {
  readonly accountId: string | null;
  readonly dispatchGroup: string | null;
  /** In the name, the owner's identifier or the id, whatever its letters' case. */
  readonly search: string | null;
}

export interface SiteOfAccount {
  readonly site: Site;
  readonly accountName: string;
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
  findAll(ids: readonly string[]): Promise<readonly Site[]>;
  /** The same, locked in order, so that availability blocks and dispatches never pass each other unseen. */
  lockForDispatch(ids: readonly string[]): Promise<readonly Site[]>;
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

export interface DispatchRevision {
  readonly modificationNumber: number;
  readonly at: Date;
  readonly actor: string;
  readonly start: Date;
  readonly end: Date | null;
  readonly authorized: boolean;
}

/** Which dispatches a list holds; null: all. */
export interface DispatchFilter {
  /** Where they stand at `now`. */
  readonly phase: DispatchPhase | null;
  readonly now: Date;
  readonly programId: string | null;
  /** false: without their sites, of which there may be many. */
  readonly withSites: boolean;
}

export interface ListedDispatch {
  readonly dispatch: Dispatch;
  readonly siteCount: number;
  readonly commitmentKw: number;
}

export interface DispatchStore {
  insert(dispatch: Dispatch, actor: Actor): Promise<void>;
  lock(id: string): Promise<Dispatch | null>;
  /** Writes a change and its revision. */
  saveChange(dispatch: Dispatch, actor: Actor): Promise<void>;
  find(id: string): Promise<Dispatch | null>;
  list(filter: DispatchFilter, page: PageRequest): Promise<Page<ListedDispatch>>;
  revisions(id: string): Promise<readonly DispatchRevision[]>;
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

export interface WebhookStore {
  insert(webhook: Webhook): Promise<void>;
  ofAccount(accountId: string): Promise<readonly Webhook[]>;
  list(accountId: string, page: PageRequest): Promise<Page<Webhook>>;
  /** Deleted ones are not found, here and by `lock`; nor are others than those of `within`, unless it is null. */
  find(id: string, within: string | null): Promise<Webhook | null>;
  lock(id: string, within: string | null): Promise<Webhook | null>;
  saveSecrets(webhook: Webhook): Promise<void>;
  /** Whether there is one of that id, or was one before it was deleted. */
  wasEver(id: string, within: string | null): Promise<boolean>;
  /** Deletes it for good, and drops what was still to be sent to it; null when the account has none of that id. */
  remove(accountId: string, id: string, now: Date): Promise<Webhook | null>;
}

/** The outbox: a notice is written in the transaction of the change that it tells of. */
export interface NoticeStore {
  add(notice: Notice): Promise<void>;
  /** Takes back what is not due yet: the dispatch never comes to be for participants. */
  drop(dispatchId: string): Promise<void>;
}

/** What became of notices; the queue of a worker is another port. */
export interface DeliveryStore {
  /** `within`: an account whose alone are found, here and by `ofDispatch`; null for all. */
  find(id: string, within: string | null): Promise<Delivery | null>;
  /** Newest first, as the next one is. */
  ofWebhook(webhookId: string, page: PageRequest): Promise<Page<Delivery>>;
  ofDispatch(dispatchId: string, within: string | null, page: PageRequest): Promise<Page<Delivery>>;
  /** Has it sent once more; false when it waits for that already. */
  resend(id: string, at: Date): Promise<boolean>;
}

/** Whose evidence is asked for: an account's, that of a site's account, or that of all. */
export interface EvidenceFilter {
  readonly accountId: string | null;
  readonly siteId: string | null;
}

/** A dispatch, as far as its evidence needs it. */
export interface EvidenceSubject {
  readonly notification: Date;
  /** An account of the dispatch that meets the filter; null where none does. */
  readonly accountId: string | null;
}

/** The evidence that is asked for: of a dispatch, of one account of it or of all. */
export interface EvidenceRequest {
  readonly dispatchId: string;
  readonly accountId: string | null;
  /** What participants could see of the dispatch, and from when on. */
  readonly revealed: readonly Revealed[];
  readonly now: Date;
}

export interface EvidenceStore {
  findSubject(dispatchId: string, filter: EvidenceFilter): Promise<EvidenceSubject | null>;
  /** Oldest first. */
  list(request: EvidenceRequest, page: PageRequest<EvidencePlace>): Promise<Page<Evidence, EvidencePlace>>;
}

export interface VenStore {
  /** False when another VEN has its name. */
  insert(ven: Ven): Promise<boolean>;
  /** Deleted ones are not found, here, by `lock` and by `list`. */
  find(id: string): Promise<Ven | null>;
  lock(id: string): Promise<Ven | null>;
  save(ven: Ven): Promise<void>;
  list(accountId: string, page: PageRequest): Promise<Page<Ven>>;
  remove(id: string, now: Date): Promise<Ven | null>;
}

export interface VenCertificateStore {
  insert(certificate: VenCertificate): Promise<void>;
  /** Newest first. */
  ofVens(vens: readonly string[]): Promise<readonly VenCertificate[]>;
  /** Revokes it, if it is this VEN's; null when there is none. */
  revoke(ven: string, fingerprint: string, now: Date): Promise<VenCertificate | null>;
  /** Whose it is, revoked, expired and deleted ones too. */
  findIdentity(fingerprint: string): Promise<VenIdentity | null>;
}

export interface VenClaimStore {
  insert(claim: VenClaim, tokenHash: Buffer): Promise<void>;
  /** Takes a link that is good, once; null for a used, expired or unknown one, and where the VEN is gone. */
  use(tokenHash: Buffer, now: Date): Promise<VenClaim | null>;
}

/** What VENs know of events. */
export interface VenEventStore {
  /** Newest first, as the next one is. */
  ofVen(ven: string, page: PageRequest): Promise<Page<VenEvent>>;
}

/** Which alarms a list holds; standing: those not cleared, acknowledged or not. */
export type AlarmListing = "standing" | "open" | "acknowledged" | "cleared" | "all";

export interface AlarmStore {
  /** Whether nobody else judges alarms; kept until the end of the transaction. */
  takeTurn(): Promise<boolean>;
  /** What is wrong now, of all kinds unless some are named. What happens once is answered once. */
  conditions(now: Date, kinds?: readonly AlarmKind[]): Promise<readonly Condition[]>;
  standing(): Promise<readonly Alarm[]>;
  /** Answers those raised; one of the same kind and subject that stands already stays as it is. */
  raise(alarms: readonly Alarm[]): Promise<readonly Alarm[]>;
  clear(alarms: readonly Alarm[]): Promise<void>;
  /** Newest first. */
  list(listing: AlarmListing, page: PageRequest): Promise<Page<Alarm>>;
  lock(id: string): Promise<Alarm | null>;
  saveAcknowledgement(alarm: Alarm): Promise<void>;
}

/** Who acted, and when. */
export interface Act {
  readonly actor: Actor;
  readonly at: Date;
}

/** Who manages things, and of which account alone; null: of all. What is another's is not found. */
export interface Manager {
  readonly actor: Actor;
  readonly within: string | null;
}

export interface AuditSubject {
  readonly id: string;
  readonly accountId: string | null;
}

/** State before and after; absent before a creation and after a deletion. */
export interface AuditedChange {
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface AuditEntry extends Act {
  readonly id: string;
  readonly action: string;
  readonly subject: string;
  readonly accountId: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** Which entries a list holds; null: all. `to` is left out. */
export interface AuditFilter {
  readonly accountId: string | null;
  readonly actor: string | null;
  readonly action: string | null;
  readonly subject: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

export interface AuditStore {
  append(act: Act, action: string, subject: AuditSubject, change: AuditedChange): Promise<void>;
  list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
}

/** A user with what proves who it is. */
export interface UserRecord extends Standing {
  readonly passwordHash: string | null;
  readonly totp: TotpRecord | null;
  readonly identity: Identity | null;
}

export interface TotpRecord {
  readonly secret: string;
  /** Until it is, no code is asked for. */
  readonly isConfirmed: boolean;
  readonly lastStep: number | null;
}

/** Who somebody is for a provider of single sign-on. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** `within`: an account whose users alone are found; null for all users. */
export interface UserStore {
  /** false when somebody has the email already. */
  insert(user: User): Promise<boolean>;
  find(id: string, within: string | null): Promise<User | null>;
  list(within: string | null, page: PageRequest): Promise<Page<User>>;
  /** Whether nobody is there; nobody comes until the end of the transaction. */
  isEmpty(): Promise<boolean>;
  findByEmail(email: string): Promise<UserRecord | null>;
  findByIdentity(identity: Identity): Promise<UserRecord | null>;
  lock(id: string, within: string | null): Promise<UserRecord | null>;
  save(user: User): Promise<void>;
  /** Sets a password as for a new user: codes and single sign-on are taken off. */
  startAnew(id: string, passwordHash: string): Promise<void>;
  bind(id: string, identity: Identity): Promise<void>;
  saveTotp(id: string, secret: string): Promise<void>;
  confirmTotp(id: string, at: Date): Promise<void>;
  /** Notes that a step's code was used; false when it was, or a later one. */
  takeTotpStep(id: string, step: number): Promise<boolean>;
}

export interface UserInvitation {
  /** null: invites the first operator-admin. */
  readonly userId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface InvitationStore {
  insert(invitation: UserInvitation, tokenHash: Buffer): Promise<void>;
  /** One that can still be accepted, locked. */
  findUnused(tokenHash: Buffer, now: Date): Promise<UserInvitation | null>;
  use(tokenHash: Buffer, now: Date): Promise<void>;
  /** Voids what a user was sent before. */
  useAll(userId: string, now: Date): Promise<void>;
}

export interface SessionStore {
  insert(session: Session, tokenHash: Buffer): Promise<void>;
  find(tokenHash: Buffer): Promise<(Standing & { readonly session: Session }) | null>;
  touch(id: string, now: Date): Promise<void>;
  /** Those that are valid, newest first. */
  list(userId: string, now: Date, page: PageRequest): Promise<Page<Session>>;
  revoke(userId: string, id: string, now: Date): Promise<Session | null>;
  revokeAll(userId: string, now: Date): Promise<void>;
}

/** All stores over one connection: inside `transact` they share its transaction. */
export interface Stores {
  readonly accounts: AccountStore;
  readonly contacts: ContactStore;
  readonly keys: KeyStore;
  readonly sites: SiteStore;
  readonly programs: ProgramStore;
  readonly dispatches: DispatchStore;
  readonly schedule: ScheduleStore;
  readonly webhooks: WebhookStore;
  readonly notices: NoticeStore;
  readonly deliveries: DeliveryStore;
  readonly evidence: EvidenceStore;
  readonly vens: VenStore;
  readonly venCertificates: VenCertificateStore;
  readonly venClaims: VenClaimStore;
  readonly venEvents: VenEventStore;
  readonly alarms: AlarmStore;
  readonly performance: PerformanceStore;
  readonly late: LateReadings;
  readonly audit: AuditStore;
  readonly users: UserStore;
  readonly invitations: InvitationStore;
  readonly sessions: SessionStore;
  readonly requests: RequestLogStore;
}

/** What operations that change something work with. */
export interface Ports {
  readonly stores: Stores;
  /** Commits what `work` did; rolls back when it throws or refuses. */
  readonly transact: <T>(work: (stores: Stores) => Promise<Result<T>>) => Promise<Result<T>>;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The caller of a participant's request. */
export interface Caller {
  readonly accountId: string;
  readonly actor: Actor;
  readonly environment: Environment;
}

/** A caller proven by an API key. */
export interface KeyCaller extends Caller {
  readonly keyId: string;
  /** Many people use the key: each address has a rate of its own. */
  readonly isShared?: true;
}
