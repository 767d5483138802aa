import type { AccountStore, ContactStore, KeyStore } from "./account-ports.js";
import type { AuditStore } from "./audit-ports.js";
import type { CalendarStore } from "./calendar-ports.js";
import type { RequestLogStore } from "./log-requests.js";
import type { RunningDispatches } from "./running-dispatches.js";
import type { DeviceStore, InvitationStore, RecoveryCodeStore, SessionStore, UserStore } from "./user-ports.js";

/** Stores of accounts, users and their credentials. */
export interface AccessStores {
  readonly accounts: AccountStore;
  readonly contacts: ContactStore;
  readonly keys: KeyStore;
  readonly users: UserStore;
  readonly invitations: InvitationStore;
  readonly sessions: SessionStore;
  readonly recoveryCodes: RecoveryCodeStore;
  readonly devices: DeviceStore;
  readonly calendars: CalendarStore;
  readonly audit: AuditStore;
  readonly requests: RequestLogStore;
  readonly running: RunningDispatches;
}
