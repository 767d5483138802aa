import type { Actor } from "../domain/account.js";
import type { Environment } from "../domain/api-key.js";
import type { Result } from "../domain/refusal.js";
import type { AccountStore, ContactStore, KeyStore } from "./account-ports.js";
import type { AlarmStore } from "./alarm-ports.js";
import type { AuditStore } from "./audit-ports.js";
import type { Clock, NewId } from "./clock.js";
import type { DeliveryStore, EvidenceStore, NoticeStore, VenNoticeStore, WebhookStore } from "./delivery-ports.js";
import type { DispatchStore } from "./dispatch-ports.js";
import type { RequestLogStore } from "./log-requests.js";
import type { LateReadings, PerformanceStore } from "./measurement-ports.js";
import type { OwedStore } from "./owed-ports.js";
import type { ProgramStore, ScheduleStore, SiteStore } from "./site-ports.js";
import type { DeviceStore, InvitationStore, RecoveryCodeStore, SessionStore, UserStore } from "./user-ports.js";
import type { VenCertificateStore, VenClaimStore, VenEventStore, VenStore } from "./ven-ports.js";

/** Who manages things, and of which account alone; null: of all. What is another's is not found. */
export interface Manager {
  readonly actor: Actor;
  readonly within: string | null;
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
  readonly venNotices: VenNoticeStore;
  readonly alarms: AlarmStore;
  readonly owed: OwedStore;
  readonly performance: PerformanceStore;
  readonly late: LateReadings;
  readonly audit: AuditStore;
  readonly users: UserStore;
  readonly invitations: InvitationStore;
  readonly sessions: SessionStore;
  readonly recoveryCodes: RecoveryCodeStore;
  readonly devices: DeviceStore;
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
  /** Whose measured data is answered: systems see all sites of their account, people on pages those that are displayed. */
  readonly sees: "own sites" | "displayed sites";
  /** Where the request came from, an IPv6 network being one place; given where many people share a key. */
  readonly place?: string;
}

/** A key that proves who sent it, and lets nobody in any more, or not here. */
export interface RefusedKey {
  readonly refused: "revoked" | "expired" | "environment" | "account_disabled";
  readonly accountId: string;
  readonly keyId: string;
  /** That the key is of. */
  readonly environment: Environment;
}

export const isKeyCaller = (found: KeyCaller | RefusedKey | null): found is KeyCaller =>
  found !== null && !("refused" in found);

/** A caller proven by an API key. */
export interface KeyCaller extends Caller {
  readonly keyId: string;
  /** Many people use the key: each place has a rate of its own. */
  readonly isShared?: true;
}
