import type { Alarm, AlarmGroupAct, AttendedAlarms } from "../../platform/alarm.js";
import type { Account, Contact } from "./account.js";
import type { ApiKey } from "./api-key.js";
import type { User } from "./user.js";

/**
 * Everything the audit log records: for each kind, its actions and the state before and after. Other modules add theirs
 * next to their nouns. States are stored in this form and entries are never changed: a renamed member, or one with a new
 * meaning, is read in both forms (`access/http/wire-audit-state.ts`).
 */
export interface Audited {
  account: { action: "account.create" | "account.change"; state: Account };
  alarm: { action: "alarm.acknowledge" | "alarm.note"; state: Alarm };
  alarm_group: { action: `alarm_group.${AlarmGroupAct}`; state: AttendedAlarms };
  calendar: { action: "calendar.create" | "calendar.delete"; state: never };
  contact: { action: "contact.create" | "contact.delete"; state: Contact };
  key: { action: "key.create" | "key.claim" | "key.revoke"; state: ApiKey };
  session: { action: "session.create" | "session.create_by_recovery_code" | "session.revoke"; state: never };
  user: { action: `user.${"create" | "change" | "delete"}` | `user.${UserAction}`; state: User };
}

/** Without states, because what they change is secret or nobody else's concern. */
type UserAction =
  | "invite"
  | "sign_out"
  | "set_password"
  | "change_password"
  | "confirm_totp"
  | "remove_totp"
  | "renew_recovery_codes"
  | "bind_oidc"
  | "set_notices"
  | "add_push"
  | "remove_push";

export type AuditKind = keyof Audited;
export type AuditAction = Audited[AuditKind]["action"];

declare module "../../platform/journal.js" {
  interface JournalKinds {
    audited: AuditAction;
  }
}

/** The state of an action's subject. */
export type AuditState<A extends AuditAction> = {
  [K in AuditKind]: A extends Audited[K]["action"] ? Audited[K]["state"] : never;
}[AuditKind];

/** A state as stored by any version: its members, with long lists cut, and how much was cut. */
export interface StoredState {
  readonly members: Readonly<Record<string, unknown>>;
  /** Number of omitted elements, by the list's name. */
  readonly omitted: Readonly<Record<string, number>>;
}

/** Throws if a state, as JSON has it, could not be read back. */
export type AuditCheck = (action: AuditAction, members: StoredState["members"]) => void;
