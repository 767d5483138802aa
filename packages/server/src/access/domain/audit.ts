import type { Alarm } from "../../platform/alarm.js";
import type { Account, Contact } from "./account.js";
import type { ApiKey } from "./api-key.js";
import type { User } from "./user.js";

/**
 * Everything the audit log takes: of each kind the actions, and the state before and after. Other modules add their
 * kinds beside their nouns. It is stored as it is here, and entries are never changed: a member that gets another name
 * or meaning is read in both (`access/http/wire-audit-state.ts`).
 */
export interface Audited {
  account: { action: "account.create" | "account.change"; state: Account };
  alarm: { action: "alarm.acknowledge"; state: Alarm };
  contact: { action: "contact.create" | "contact.delete"; state: Contact };
  key: { action: "key.create" | "key.claim" | "key.revoke"; state: ApiKey };
  session: { action: "session.create" | "session.create_by_recovery_code" | "session.revoke"; state: never };
  user: { action: `user.${"create" | "change" | "delete"}` | `user.${UserAction}`; state: User };
}

/** Without states: what they change is secret. */
type UserAction =
  | "invite"
  | "sign_out"
  | "set_password"
  | "change_password"
  | "confirm_totp"
  | "remove_totp"
  | "renew_recovery_codes"
  | "bind_oidc";

export type AuditKind = keyof Audited;
export type AuditAction = Audited[AuditKind]["action"];

/** The state that goes with an action. */
export type AuditState<A extends AuditAction> = {
  [K in AuditKind]: A extends Audited[K]["action"] ? Audited[K]["state"] : never;
}[AuditKind];

/** A state as it was stored by any version: its members, with long lists cut, and what was cut off them. */
export interface StoredState {
  readonly members: Readonly<Record<string, unknown>>;
  /** Elements that were left out of lists, by the list's name. */
  readonly omitted: Readonly<Record<string, number>>;
}
